// One topic: members, growth, recent sends.

import { address, h, link } from '../dom.js';
import { get, path } from '../api.js';
import { may } from '../session.js';
import { count, day, moment, plural } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page, part } from '../components/page.js';
import { lineChart } from '../components/chart.js';
import { pagedTable, table } from '../components/table.js';
import { deviceColumns } from './devices.js';
import { stateOf } from './messages.js';

export async function show({ project, topic: name, signal }) {
    const place = path`/projects/${project}/topics/${name}`;
    const topic = await get(place, {}, signal);
    const compose = h(
        'a',
        { class: 'button primary', href: address(['projects', project, 'campaigns', 'new'], { topic: name }) },
        icon('bell'),
        'Compose for it',
    );
    return page(
        name,
        {
            crumb: link(['projects', project, 'topics'], 'Topics'),
            lead: plural(topic.members, 'member'),
            actions: may('editor', project) && compose,
        },
        part('Growth', {}, growth(topic.growth)),
        part('Recent sends', {}, recent(project, topic.recentSends)),
        part(
            'Members',
            {},
            await pagedTable({
                caption: 'Members',
                noun: 'member',
                empty: 'It has no members.',
                columns: deviceColumns(project),
                list: 'members',
                ask: (pageToken) => get(`${place}/members`, { pageToken }, signal),
            }),
        ),
    );
}

function recent(project, messages) {
    if (messages.length === 0) return nothing('Nothing was sent to it lately.');
    return table(
        'Recent sends',
        [
            {
                title: 'Message',
                cell: (each) =>
                    link(['projects', project, 'messages', each.messageId], h('bdi', {}, each.title || each.messageId)),
            },
            { title: 'Accepted', cell: (each) => moment(each.acceptedAt) },
            { title: 'State', cell: stateOf },
            { title: 'Recipients', isNumber: true, cell: (each) => count(each.counts.targeted) },
        ],
        messages,
    );
}

function growth(days) {
    if (days.length === 0) return nothing('No change was recorded yet.');
    const columns = [
        { title: 'Day', cell: (each) => day(each.day) },
        ...[
            ['members', 'Members'],
            ['joined', 'Joined'],
            ['left', 'Left'],
        ].map(([key, title]) => ({ title, isNumber: true, cell: (each) => count(each[key]) })),
    ];
    return [
        lineChart(
            'Members',
            days.map((each) => each.day.slice(5)),
            [{ name: 'Members', values: days.map((each) => Math.max(0, each.members)) }],
        ),
        h('details', {}, h('summary', {}, 'The numbers'), table('Growth', columns, days)),
    ];
}
