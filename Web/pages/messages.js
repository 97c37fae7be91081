// The inspector: find a message, or watch them come.

import { address, h, link, replace } from '../dom.js';
import { downloadAddress, get, path } from '../api.js';
import { announce } from '../shell.js';
import { count, moment, word } from '../format.js';
import { icon } from '../components/icon.js';
import { badge, notice, nothing } from '../components/notice.js';
import { page, part } from '../components/page.js';
import { field, input } from '../components/form.js';
import { pagedTable } from '../components/table.js';

const FILTERS = [
    ['topic', 'Topic'],
    ['label', 'Analytics label'],
    ['from', 'From', 'date'],
    ['to', 'To', 'date'],
];
const MAXIMUM_TAIL_ROWS = 100;

export async function show({ project, query, signal }) {
    const filter = Object.fromEntries(
        ['q', ...FILTERS.map(([name]) => name)].map((name) => [name, query.get(name) ?? '']),
    );
    return page(
        'Messages',
        { lead: 'What happened to a message: what was asked, what APNs said, what the device reported.' },
        searchForm(project, filter),
        liveTail(project, signal),
        await pagedTable({
            caption: 'Messages',
            noun: 'message',
            columns: columns(project),
            load: async (pageToken) => {
                const answer = await get(
                    path`/projects/${project}/messages`,
                    { ...filter, from: dayStart(filter.from), to: dayEnd(filter.to), pageToken },
                    signal,
                );
                return { rows: answer.messages ?? [], nextPageToken: answer.nextPageToken };
            },
            empty: nothing(Object.values(filter).some(Boolean) ? 'No message matches.' : 'No message was sent yet.'),
        }),
    );
}

const dayStart = (text) => text && `${text}T00:00:00.000Z`;
const dayEnd = (text) => text && `${text}T23:59:59.999Z`;

function searchForm(project, filter) {
    const element = h(
        'form',
        { class: 'filters', role: 'search', 'aria-label': 'Messages', onsubmit: search },
        h(
            'div',
            { class: 'field wide' },
            field(
                'Message id, token, installation id or words',
                input('q', { type: 'search', value: filter.q, spellcheck: 'false' }),
            ),
        ),
        FILTERS.map(([name, title, type = 'text']) =>
            field(title, input(name, { type, value: filter[name], spellcheck: 'false' })),
        ),
        h('button', { type: 'submit', class: 'primary' }, icon('search'), 'Search'),
    );
    return element;

    function search(event) {
        event.preventDefault();
        const values = Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, value.trim()]));
        location.hash = address(['projects', project, 'messages'], values);
    }
}

function columns(project) {
    return [
        {
            title: 'Accepted',
            isName: false,
            cell: (message) => h('time', { datetime: message.acceptedAt }, moment(message.acceptedAt)),
        },
        {
            title: 'Message',
            isName: true,
            cell: (message) =>
                link(
                    ['projects', project, 'messages', message.messageId],
                    h('bdi', {}, message.title || message.messageId),
                ),
        },
        { title: 'To', cell: (message) => h('bdi', {}, shortTarget(message.target)) },
        { title: 'Through', cell: (message) => message.door ?? '' },
        { title: 'State', cell: (message) => stateOf(message) },
        {
            title: 'Recipients',
            isNumber: true,
            cell: (message) => count(message.counts?.targeted ?? message.counts?.recipients),
        },
    ];
}

/** The state of a message or a delivery with its colour. */
export function stateOf({ state }) {
    const kind =
        {
            DELIVERED: 'good',
            ACCEPTED: 'good',
            SENT: 'good',
            COMPLETED: 'good',
            DONE: 'good',
            FAILED: 'bad',
            REFUSED: 'bad',
            EXPIRED: 'warning',
            WAITING: 'info',
            PENDING: 'info',
        }[String(state).toUpperCase()] ?? 'plain';
    return state ? badge(word(state), kind) : '';
}

/** A target in a few characters. @param {string|Object} target */
export function shortTarget(target) {
    if (typeof target === 'string') return target.length > 32 ? `${target.slice(0, 32)}…` : target;
    const [kind, value] = Object.entries(target ?? {})[0] ?? ['', ''];
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    return `${word(kind)} ${text.length > 28 ? `${text.slice(0, 28)}…` : text}`;
}

/** Messages as they come, while the person wants to see them. */
function liveTail(project, signal) {
    const list = h('ol', { class: 'log', 'aria-label': 'Live', tabindex: '0' });
    const button = h(
        'button',
        { type: 'button', 'aria-pressed': 'false', onclick: toggle },
        icon('bolt'),
        'Watch live',
    );
    const place = h('div', {});
    let source;
    signal.addEventListener('abort', () => source?.close());
    return part('Live', { actions: button, lead: 'New messages and what becomes of them, while this is on.' }, place);

    function toggle() {
        const opens = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(opens));
        if (opens) open();
        else close();
    }

    function open() {
        replace(list);
        replace(place, h('p', { class: 'muted' }, 'Waiting for messages …'), list);
        source = new EventSource(downloadAddress(`${path`/projects/${project}/messages`}:tail`));
        for (const name of ['message', 'accepted', 'delivery', 'report'])
            source.addEventListener(name, (event) => add(event));
        source.addEventListener('error', () => {
            if (source.readyState === EventSource.CLOSED)
                replace(place, notice('warning', 'The server ended it. Switch it on again.'), list);
        });
    }

    function close() {
        source?.close();
        announce('Live is off.');
    }

    function add(event) {
        const entry = JSON.parse(event.data);
        place.querySelector('p')?.remove();
        list.prepend(
            h(
                'li',
                {},
                h('time', {}, moment(entry.at ?? entry.acceptedAt ?? entry.time)),
                h('span', {}, tailText(project, entry, event.type)),
            ),
        );
        while (list.children.length > MAXIMUM_TAIL_ROWS) list.lastChild.remove();
    }
}

function tailText(project, entry, type) {
    const what = entry.event ?? entry.state ?? (type === 'message' ? 'accepted' : type);
    const name = entry.title || entry.messageId;
    return [
        `${word(what)}: `,
        entry.messageId
            ? link(['projects', project, 'messages', entry.messageId], h('bdi', {}, name))
            : h('bdi', {}, name ?? ''),
        entry.target && [' → ', h('bdi', {}, shortTarget(entry.target))],
        entry.reason && ` (${entry.reason})`,
    ];
}
