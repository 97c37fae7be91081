// Find a device.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
import { session } from '../session.js';
import { moment, word } from '../format.js';
import { nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { filters, searchField } from '../components/filters.js';
import { pagedTable } from '../components/table.js';
import { stateOf } from './messages.js';

export async function show({ project, query, signal }) {
    const q = query.get('q') ?? '';
    return page(
        'Devices',
        { lead: 'Apps that have registered, each on one device. What is listed can get messages.' },
        filters('Devices', ['projects', project, 'devices'], [
            searchField('Search for', q, 'Token, installation id, app or version'),
        ]),
        await pagedTable({
            caption: 'Devices',
            noun: 'device',
            empty: q ? nothing('No device matches.') : nobody(project),
            columns: deviceColumns(project),
            list: 'devices',
            ask: (pageToken) => get(path`/projects/${project}/devices`, { q, pageToken }, signal),
        }),
    );
}

/** How a first device comes. */
function nobody(project) {
    const next =
        project === session.iPhoneProject
            ? link(['projects', project, 'iphones'], 'Start a virtual iPhone')
            : ['Download the configuration of ', link(['projects', project, 'apps'], 'your app'), ' and start it with that.'];
    return nothing('No device has registered yet.', h('p', {}, next));
}

/** The columns of lists of devices. @returns {import('../components/table.js').Column[]} */
export function deviceColumns(project) {
    return [
        {
            title: 'Installation',
            cell: (device) =>
                link(['projects', project, 'devices', device.registrationId], device.fid || device.tokenHint),
        },
        { title: 'App', cell: (device) => h('bdi', {}, device.bundleId) },
        { title: 'Version', cell: (device) => h('bdi', {}, device.appVersion) },
        { title: 'Channel', cell: (device) => word(device.channel) },
        { title: 'State', cell: stateOf },
        { title: 'Last seen', cell: (device) => h('time', { datetime: device.lastSeenAt }, moment(device.lastSeenAt)) },
    ];
}
