// One topic: members, growth, recent sends.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
import { may } from '../session.js';
import { count, day, moment } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page, part } from '../components/page.js';
import { lineChart } from '../components/chart.js';
import { pagedTable, table } from '../components/table.js';
import { shortTarget, stateOf } from './messages.js';

export async function show({ project, topic: name, signal }) {
    const place = path`/projects/${project}/topics/${name}`;
    const topic = await get(place, {}, signal);
    const sends = topic.recentSends ?? topic.recentMessages ?? topic.sends ?? [];
    return page(
        name,
        {
            crumb: link(['projects', project, 'topics'], 'Topics'),
            lead: `${count(topic.members)} members`,
            actions:
                may('editor', project) &&
                h(
                    'a',
                    {
                        class: 'button primary',
                        href: `#/projects/${encodeURIComponent(project)}/campaigns/new?topic=${encodeURIComponent(name)}`,
                    },
                    icon('bell'),
                    'Compose for it',
                ),
        },
        part('Growth', {}, growth(topic.growth ?? [])),
        part(
            'Recent sends',
            {},
            sends.length
                ? table(
                      'Recent sends',
                      [
                          {
                              title: 'Message',
                              cell: (each) =>
                                  link(
                                      ['projects', project, 'messages', each.messageId],
                                      h('bdi', {}, each.title || each.messageId),
                                  ),
                          },
                          { title: 'Accepted', cell: (each) => moment(each.acceptedAt ?? each.at) },
                          { title: 'State', cell: stateOf },
                          {
                              title: 'Recipients',
                              isNumber: true,
                              cell: (each) => count(each.counts?.targeted ?? each.targeted),
                          },
                      ],
                      sends,
                  )
                : nothing('Nothing was sent to it lately.'),
        ),
        part(
            'Members',
            {},
            await pagedTable({
                caption: 'Members',
                noun: 'member',
                empty: 'It has no members.',
                columns: [
                    {
                        title: 'Device',
                        cell: (each) =>
                            link(['projects', project, 'devices', idOf(each)], shortTarget(each.fid ?? idOf(each))),
                    },
                    { title: 'Since', cell: (each) => moment(each.subscribedAt ?? each.at) },
                ],
                load: async (pageToken) => {
                    const answer = await get(`${place}/members`, { pageToken }, signal);
                    return { rows: answer.members ?? [], nextPageToken: answer.nextPageToken };
                },
            }),
        ),
    );
}

const idOf = (each) => each.registration ?? each.token ?? each.fid ?? String(each);

function growth(days) {
    if (days.length === 0) return nothing('No change was recorded yet.');
    const dates = days.map((each) => each.day ?? each.date);
    return [
        lineChart(
            'Members',
            dates.map((text) => String(text).slice(5, 10)),
            [{ name: 'Members', values: days.map((each) => each.members ?? 0) }],
        ),
        h(
            'details',
            {},
            h('summary', {}, 'The numbers'),
            table(
                'Growth',
                [
                    { title: 'Day', cell: (each) => day(each.day ?? each.date) },
                    { title: 'Members', isNumber: true, cell: (each) => count(each.members) },
                    { title: 'Joined', isNumber: true, cell: (each) => count(each.joined ?? each.subscribed) },
                    { title: 'Left', isNumber: true, cell: (each) => count(each.left ?? each.unsubscribed) },
                ],
                days,
            ),
        ),
    ];
}
