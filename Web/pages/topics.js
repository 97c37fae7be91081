// Topics and how many have subscribed.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
import { count } from '../format.js';
import { nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { filters, searchField } from '../components/filters.js';
import { pagedTable } from '../components/table.js';

export async function show({ project, query, signal }) {
    const q = query.get('q') ?? '';
    return page(
        'Topics',
        { lead: 'Apps and app servers subscribe devices to topics. A message to a topic reaches all who subscribed.' },
        filters('Topics', ['projects', project, 'topics'], [searchField('Name begins with', q)]),
        await pagedTable({
            caption: 'Topics',
            noun: 'topic',
            empty: q
                ? nothing('No topic begins like this.')
                : nothing(
                      'Nobody has subscribed to a topic yet.',
                      h('p', {}, 'An app does it with ', h('code', {}, 'Messaging.messaging().subscribe(toTopic: "news")'), '.'),
                  ),
            columns: [
                { title: 'Topic', cell: ({ topic }) => link(['projects', project, 'topics', topic], topic) },
                { title: 'Members', isNumber: true, cell: ({ members }) => count(members) },
            ],
            list: 'topics',
            ask: (pageToken) => get(path`/projects/${project}/topics`, { q, pageToken }, signal),
        }),
    );
}
