// Find a device.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
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
        { lead: 'App instances that have registered.' },
        filters('Devices', ['projects', project, 'devices'], [
            searchField('Search for', q, 'Token, installation id, app or version'),
        ]),
        await pagedTable({
            caption: 'Devices',
            noun: 'device',
            empty: nothing(q ? 'No device matches.' : 'No device has registered yet.'),
            columns: deviceColumns(project),
            list: 'devices',
            ask: (pageToken) => get(path`/projects/${project}/devices`, { q, pageToken }, signal),
        }),
    );
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
