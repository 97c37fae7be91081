// Topics and how many have subscribed.

import { address, h, link } from '../dom.js';
import { get, path } from '../api.js';
import { count } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { field, input } from '../components/form.js';
import { pagedTable } from '../components/table.js';

export async function show({ project, query, signal }) {
    const q = query.get('q') ?? '';
    const element = h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Topics', onsubmit: search },
        h(
            'div',
            { class: 'field wide' },
            field('Name begins with', input('q', { type: 'search', value: q, spellcheck: 'false' })),
        ),
        h('button', { type: 'submit', class: 'primary' }, icon('search'), 'Search'),
    );
    return page(
        'Topics',
        { lead: 'Apps and app servers subscribe devices to them.' },
        element,
        await pagedTable({
            caption: 'Topics',
            noun: 'topic',
            empty: nothing(q ? 'No topic matches.' : 'Nobody has subscribed to a topic yet.'),
            columns: [
                { title: 'Topic', cell: ({ topic }) => link(['projects', project, 'topics', topic], topic) },
                { title: 'Members', isNumber: true, cell: ({ members }) => count(members) },
            ],
            load: async (pageToken) => {
                const answer = await get(path`/projects/${project}/topics`, { q, pageToken }, signal);
                return { rows: answer.topics ?? [], nextPageToken: answer.nextPageToken };
            },
        }),
    );

    function search(event) {
        event.preventDefault();
        location.hash = address(['projects', project, 'topics'], { q: new FormData(element).get('q').trim() });
    }
}
