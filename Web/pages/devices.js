// Find a device.

import { address, h, link } from '../dom.js';
import { get, path } from '../api.js';
import { moment, word } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { field, input } from '../components/form.js';
import { pagedTable } from '../components/table.js';
import { stateOf } from './messages.js';

export async function show({ project, query, signal }) {
    const q = query.get('q') ?? '';
    const element = h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Devices', onsubmit: search },
        h(
            'div',
            { class: 'field wide' },
            field(
                'Search for',
                input('q', {
                    type: 'search',
                    value: q,
                    spellcheck: 'false',
                    placeholder: 'Token, installation id, app or version',
                }),
            ),
        ),
        h('button', { type: 'submit', class: 'primary' }, icon('search'), 'Search'),
    );
    return page(
        'Devices',
        { lead: 'App instances that have registered.' },
        element,
        await pagedTable({
            caption: 'Devices',
            noun: 'device',
            empty: nothing(q ? 'No device matches.' : 'No device has registered yet.'),
            columns: deviceColumns(project),
            load: async (pageToken) => {
                const answer = await get(path`/projects/${project}/devices`, { q, pageToken }, signal);
                return { rows: answer.devices ?? [], nextPageToken: answer.nextPageToken };
            },
        }),
    );

    function search(event) {
        event.preventDefault();
        location.hash = address(['projects', project, 'devices'], { q: new FormData(element).get('q').trim() });
    }
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
