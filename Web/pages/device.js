// One app instance: what it is registered for, what waits for it, and a message to it.

import { address, h, link } from '../dom.js';
import { get, path } from '../api.js';
import { may } from '../session.js';
import { moment, plural, word } from '../format.js';
import { copyable } from '../components/secret.js';
import { icon } from '../components/icon.js';
import { nothing, notice } from '../components/notice.js';
import { facts, page, part } from '../components/page.js';
import { table } from '../components/table.js';
import { propertiesForm, sendForm } from './device/forms.js';
import { deviceColumns } from './devices.js';
import { stateOf } from './messages.js';

export async function show({ project, device: id, signal }) {
    const place = path`/projects/${project}/devices/${id}`;
    const edits = may('editor', project);
    const device = await get(place, edits ? { tokens: 'full' } : {}, signal);
    const sends = edits && !device.endedAt;
    const compose = h(
        'a',
        {
            class: 'button',
            href: address(['projects', project, 'campaigns', 'new'], { device: device.token ?? device.fid }),
        },
        icon('bell'),
        'Compose for it',
    );
    return page(
        device.fid || device.tokenHint,
        {
            crumb: link(['projects', project, 'devices'], 'Devices'),
            lead: [stateOf(device), ` ${device.bundleId}`],
            actions: sends && compose,
        },
        about(device),
        sends && part('Send a test', {}, sendForm(project, place)),
        device.endedAt && notice('warning', 'It gets no messages any more. When the app starts again, it registers anew.'),
        h(
            'div',
            { class: 'columns' },
            part('Topics', {}, topicList(project, device.topics)),
            part(
                'Properties',
                { lead: 'What app servers, or you, know of this device. Campaigns can be aimed at them.' },
                edits ? propertiesForm(place, device.properties) : facts(Object.entries(device.properties)),
            ),
        ),
        part(
            'Waiting messages',
            { lead: device.pendingCount > 0 && `${plural(device.pendingCount, 'message')} in all.` },
            inbox(project, device.pending),
        ),
        part(
            'Registrations',
            { lead: 'This one, and the others of the same installation.' },
            table('Registrations', deviceColumns(project), device.registrations),
        ),
        part('History of its token', {}, history(device.tokenHistory)),
    );
}

function about(device) {
    return facts([
        ['Installation id', device.fid && copyable(device.fid, 'Copy the installation id')],
        ['Token', device.token ? copyable(device.token, 'Copy the token') : h('code', {}, device.tokenHint)],
        ['App id', device.appId && h('code', {}, device.appId)],
        ['App version', device.appVersion],
        ['SDK version', device.sdkVersion],
        ['Channel', [word(device.channel), device.apnsEnvironment && ` (${device.apnsEnvironment})`]],
        ['Receives by', device.mode === 'FID' ? 'Installation id' : 'Token'],
        ['Sender', device.sender],
        ['Language', [device.language, device.country].filter(Boolean).join('-')],
        ['Time zone', device.timeZone],
        ['First opened', moment(device.firstOpenedAt)],
        ['App last used', device.lastEngagedAt && moment(device.lastEngagedAt)],
        ['Registered', moment(device.createdAt)],
        ['Last seen', moment(device.lastSeenAt)],
        ['Connected since', device.connectedAt && moment(device.connectedAt)],
        ['Ended', device.endedAt && moment(device.endedAt)],
    ]);
}

function topicList(project, topics) {
    if (topics.length === 0) return nothing('It has subscribed to none.');
    return h(
        'ul',
        {},
        topics.map(({ topic, subscribedAt }) =>
            h(
                'li',
                {},
                link(['projects', project, 'topics', topic], topic),
                h('span', { class: 'muted' }, ` since ${moment(subscribedAt)}`),
            ),
        ),
    );
}

function inbox(project, messages) {
    if (messages.length === 0) return nothing('Nothing waits for it.');
    return table(
        'Waiting messages',
        [
            {
                title: 'Message',
                cell: (each) => link(['projects', project, 'messages', each.messageId], each.messageId),
            },
            { title: 'Since', cell: (each) => moment(each.acceptedAt) },
            { title: 'Until', cell: (each) => moment(each.expiresAt) },
        ],
        messages,
    );
}

function history(changes) {
    if (changes.length === 0) return nothing('It has had this token from the start.');
    return h(
        'ol',
        { class: 'way' },
        changes.map(({ at, reason, token }) =>
            h(
                'li',
                {},
                h('time', { class: 'muted', datetime: at }, moment(at)),
                h('div', {}, reason, ' ', h('code', {}, token)),
            ),
        ),
    );
}
