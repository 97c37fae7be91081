// One app instance: what it is registered for, what waits for it, and a message to it.

import { h, link } from '../dom.js';
import { get, path, post, put } from '../api.js';
import { announce } from '../shell.js';
import { may } from '../session.js';
import { moment, word } from '../format.js';
import { copyable } from '../components/secret.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { facts, page, part } from '../components/page.js';
import { field, form, input, textArea } from '../components/form.js';
import { table } from '../components/table.js';
import { reload } from '../reload.js';
import { shortTarget, stateOf } from './messages.js';

export async function show({ project, device: id, signal }) {
    const place = path`/projects/${project}/devices/${id}`;
    const device = await get(place, {}, signal);
    const registrations = device.registrations ?? [];
    return page(
        device.fid ?? shortTarget(id),
        {
            crumb: link(['projects', project, 'devices'], 'Devices'),
            actions:
                may('editor', project) &&
                link(['projects', project, 'campaigns', 'new'], [icon('bell'), 'Compose for it'], {
                    class: 'button',
                    href: `#/projects/${encodeURIComponent(project)}/campaigns/new?device=${encodeURIComponent(id)}`,
                }),
        },
        about(device),
        may('editor', project) && part('Send a test', {}, sendForm(place)),
        part(
            'Registrations',
            {},
            registrations.length ? table('Registrations', registrationColumns, registrations) : nothing('It has none.'),
        ),
        h(
            'div',
            { class: 'columns' },
            part('Topics', {}, topicList(project, device.topics ?? [])),
            part(
                'Properties',
                { lead: 'Segments can be made of them.' },
                propertiesForm(project, id, device.properties ?? {}),
            ),
        ),
        part('Waiting messages', {}, inbox(project, device.pending ?? device.inbox ?? [])),
        part('History of its token', {}, history(device.tokenHistory ?? device.history ?? [])),
    );
}

function about(device) {
    const shown = [
        'bundleId',
        'appVersion',
        'platform',
        'osVersion',
        'model',
        'language',
        'country',
        'timeZone',
        'sdkVersion',
        'channel',
        'apnsEnvironment',
    ];
    return facts([
        ['Installation id', device.fid && copyable(device.fid, 'Copy the installation id')],
        ['App', device.appId && h('code', {}, device.appId)],
        ...shown.map((key) => [word(key.replace(/([A-Z])/g, ' $1')), device[key] ?? device.attributes?.[key]]),
        ['First seen', (device.createdAt ?? device.firstOpenAt) && moment(device.createdAt ?? device.firstOpenAt)],
        ['Last seen', (device.lastSeenAt ?? device.lastSeen) && moment(device.lastSeenAt ?? device.lastSeen)],
    ]);
}

const registrationColumns = [
    {
        title: 'Token',
        cell: (each) =>
            each.token ? copyable(each.token, 'Copy the token') : h('code', {}, each.fid ?? each.registration ?? ''),
    },
    { title: 'State', cell: stateOf },
    { title: 'Sender', cell: (each) => each.sender ?? each.senderId ?? '' },
    { title: 'Channel', cell: (each) => each.channel ?? '' },
    { title: 'APNs', cell: (each) => each.apnsEnvironment ?? each.environment ?? '' },
    { title: 'Registered', cell: (each) => moment(each.createdAt) },
    { title: 'Last seen', cell: (each) => moment(each.lastSeenAt ?? each.lastSeen) },
];

function topicList(project, topics) {
    if (topics.length === 0) return nothing('It has subscribed to none.');
    return h(
        'ul',
        {},
        topics.map((each) => {
            const name = each.topic ?? each;
            return h(
                'li',
                {},
                link(['projects', project, 'topics', name], name),
                each.subscribedAt && h('span', { class: 'muted' }, ` since ${moment(each.subscribedAt)}`),
            );
        }),
    );
}

function inbox(project, messages) {
    const list = Array.isArray(messages) ? messages : (messages.messages ?? []);
    if (list.length === 0) return nothing('Nothing waits for it.');
    return table(
        'Waiting messages',
        [
            {
                title: 'Message',
                cell: (each) =>
                    link(['projects', project, 'messages', each.messageId], h('bdi', {}, each.title || each.messageId)),
            },
            { title: 'Since', cell: (each) => moment(each.acceptedAt ?? each.at) },
            { title: 'Until', cell: (each) => moment(each.expiresAt) },
        ],
        list,
    );
}

function history(entries) {
    if (entries.length === 0) return nothing('It has had this token from the start.');
    return h(
        'ol',
        { class: 'way' },
        entries.map((each) =>
            h(
                'li',
                {},
                h('time', { class: 'muted' }, moment(each.at ?? each.time)),
                h(
                    'div',
                    {},
                    each.explanation ?? each.reason ?? each.event,
                    each.token && [' ', h('code', {}, shortTarget(each.token))],
                ),
            ),
        ),
    );
}

function sendForm(place) {
    const text = textArea('body', { rows: 2, dir: 'auto', maxlength: 1000 });
    return form({
        content: [
            field('Title', input('title', { value: 'Test', dir: 'auto', maxlength: 200 }), {
                names: ['title', 'notification.title'],
            }),
            field('Text', text, { names: ['body', 'notification.body'] }),
        ],
        submit: [icon('send'), 'Send it'],
        kind: '',
        send: async ({ title, body }) => {
            const answer = await post(`${place}:send`, { notification: { title, body }, data: {} });
            announce(answer.messageId ? `Sent as ${answer.messageId}.` : 'Sent.');
        },
    });
}

function propertiesForm(project, id, properties) {
    const names = Object.entries(properties);
    const text = textArea('properties', { rows: Math.min(10, names.length + 2), spellcheck: 'false' });
    text.value = names.map(([name, value]) => `${name} = ${value}`).join('\n');
    if (!may('editor', project)) return names.length ? facts(names) : nothing('It has none.');
    return form({
        content: field('Properties', text, { hint: 'One a line: plan = pro' }),
        submit: 'Save',
        kind: '',
        send: async (values) => {
            const pairs = values.properties
                .split('\n')
                .filter((line) => line.trim())
                .map((line) => line.split(/=(.*)/s).map((text) => text.trim()));
            await put(
                path`/projects/${project}/devices/${id}/properties`,
                Object.fromEntries(pairs.map(([name, value = '']) => [name, value])),
            );
            announce('The properties are saved.');
            reload();
        },
    });
}
