// The inspector: find a message, or watch them come.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
import { count, moment, word } from '../format.js';
import { badge, nothing } from '../components/notice.js';
import { page } from '../components/page.js';
import { field, input } from '../components/form.js';
import { filters, searchField } from '../components/filters.js';
import { pagedTable } from '../components/table.js';
import { liveTail } from './messages/live-tail.js';

const FILTERS = [
    ['topic', 'Topic'],
    ['label', 'Analytics label'],
    ['campaignId', 'Campaign'],
    ['from', 'From', 'date'],
    ['to', 'To', 'date'],
];

export async function show({ project, query, signal }) {
    const filter = Object.fromEntries(
        ['q', ...FILTERS.map(([name]) => name)].map((name) => [name, query.get(name) ?? '']),
    );
    return page(
        'Messages',
        { lead: 'What happened to a message: what was asked, what APNs said, what the device reported.' },
        filters('Messages', ['projects', project, 'messages'], [
            searchField('Search for', filter.q, 'Message id, token, installation id, topic or label'),
            FILTERS.map(([name, title, type = 'text']) =>
                field(title, input(name, { type, value: filter[name], spellcheck: 'false' })),
            ),
        ]),
        await pagedTable({
            caption: 'Messages',
            noun: 'message',
            columns: columns(project),
            list: 'messages',
            ask: (pageToken) => get(path`/projects/${project}/messages`, { ...filter, pageToken }, signal),
            empty: Object.values(filter).some(Boolean)
                ? nothing(
                      'No message matches. Messages are kept for a week.',
                      h('p', {}, link(['projects', project, 'messages'], 'Show all')),
                  )
                : nothing(
                      'No message was sent yet.',
                      h('p', {}, link(['projects', project, 'campaigns', 'new'], 'Compose one')),
                  ),
        }),
        liveTail(project, signal),
    );
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
        { title: 'To', cell: (message) => targetOf(message) },
        { title: 'Through', cell: doorOf },
        { title: 'State', cell: stateOf },
        { title: 'Recipients', isNumber: true, cell: (message) => count(message.counts.targeted) },
        { title: 'Opened', isNumber: true, cell: (message) => count(message.counts.opened) },
    ];
}

const KINDS = {
    DONE: 'good',
    ACCEPTED: 'good',
    DELIVERED: 'good',
    LIVE: 'good',
    FAILED: 'bad',
    EXPIRED: 'warning',
    SUPERSEDED: 'warning',
    DISCARDED: 'warning',
    WAITING: 'info',
    SENDING: 'info',
    SPLITTING: 'info',
};

/** The state of a message, a delivery or a registration, with its colour. @param {{state: string}} each */
export function stateOf({ state }) {
    return badge(ENDINGS[state] ?? word(state), KINDS[state] ?? 'plain');
}

/** Registrations that work, and why others do not. */
const ENDINGS = {
    LIVE: 'Active',
    deletedByApp: 'Deleted by the app',
    installationDeleted: 'Installation deleted',
    replaced: 'Replaced by a newer one',
    unregisteredByAPNs: 'Removed, says APNs',
    unregisteredByPushService: 'Removed, says the push service',
    expired: 'Not seen for too long',
};

const DOORS = {
    v1: 'HTTP v1',
    legacy: 'legacy HTTP',
    xmpp: 'XMPP',
    console: 'the console',
    campaign: 'a campaign',
    device: 'an app',
    webPush: 'web push',
};

/** Through which of the server's interfaces a message came. */
export const doorOf = ({ door }) => DOORS[door] ?? door ?? '';

/** Whom a message was for. @param {{target: Object}} message As the inspector has it: one kind with its value. */
export function targetOf({ target }) {
    const [kind, value] = Object.entries(target)[0] ?? ['', ''];
    return [kind === 'fid' ? 'Installation' : word(kind), ' ', h('bdi', {}, short(value))];
}

/** The beginning of a long text. */
export function short(text) {
    return text.length > 34 ? `${text.slice(0, 34)}…` : text;
}
