// One message: its whole way, and in plain words why it did not arrive.

import { address, h, link } from '../dom.js';
import { get, path } from '../api.js';
import { count, moment, word } from '../format.js';
import { copyable } from '../components/secret.js';
import { badge, nothing, notice } from '../components/notice.js';
import { facts, json, page, part } from '../components/page.js';
import { doorOf, stateOf, targetOf } from './messages.js';

export async function show({ project, message: id, query, signal }) {
    const answer = await get(
        path`/projects/${project}/messages/${id}`,
        { pageToken: query.get('pageToken') ?? '' },
        signal,
    );
    const { message, request, validation, translation, deliveries, nextPageToken } = answer;
    return page(
        message.title || 'Message',
        {
            crumb: link(['projects', project, 'messages'], 'Messages'),
            lead: [
                stateOf(message),
                message.door && ` through ${doorOf(message)}`,
                message.sender && ` by ${message.sender}`,
            ],
        },
        about(project, message),
        part(
            'What became of it',
            {},
            deliveries.length
                ? h(
                      'div',
                      { class: 'deliveries' },
                      deliveries.map((delivery) => deliveryCard(project, delivery)),
                  )
                : nothing('No device was to get it, or they are not known any more.'),
            nextPageToken &&
                h(
                    'p',
                    { class: 'more' },
                    h(
                        'a',
                        {
                            class: 'button',
                            href: address(['projects', project, 'messages', id], { pageToken: nextPageToken }),
                        },
                        'The next recipients',
                    ),
                ),
        ),
        part(
            'What was asked, and what was made of it',
            {},
            validated(validation),
            json('Request', request),
            Object.entries(translation).map(([platform, push]) => json(`For ${PLATFORMS[platform] ?? platform}`, push)),
        ),
    );
}

const PLATFORMS = { apns: 'Apple devices', webpush: 'browsers' };

function about(project, message) {
    return facts([
        ['Message id', copyable(message.messageId, 'Copy the message id')],
        ['Accepted', moment(message.acceptedAt)],
        ['Expires', moment(message.expiresAt)],
        ['To', targetOf(message)],
        ['Analytics label', message.label],
        [
            'Campaign',
            message.campaignId && link(['projects', project, 'campaigns', message.campaignId], message.campaignId),
        ],
        ...Object.entries(message.counts)
            .filter(([, number]) => number > 0)
            .map(([name, number]) => [word(name), count(number)]),
    ]);
}

function validated({ isValid, explanation, violations, payloadBytes, maximumPayloadBytes }) {
    return notice(
        isValid ? 'good' : 'warning',
        h(
            'p',
            {},
            explanation,
            payloadBytes && ` ${count(payloadBytes)} of ${count(maximumPayloadBytes)} bytes for Apple devices.`,
        ),
        violations.length > 0 &&
            h(
                'ul',
                {},
                violations.map((each) => h('li', {}, `${each.field}: ${each.description}`)),
            ),
    );
}

function deliveryCard(project, delivery) {
    const { registration, channel, state, reason, explanation, nextStep, attempts, reports, translation } = delivery;
    const events = [
        ...attempts.map((attempt) => ({
            at: attempt.at,
            isGood: attempt.status >= 200 && attempt.status < 300,
            words: attemptWords(attempt),
        })),
        ...reports.map(({ at, event }) => ({ at, isGood: true, words: `The device reported: ${word(event)}` })),
    ].sort((one, other) => one.at.localeCompare(other.at));
    return h(
        'article',
        { class: 'delivery' },
        h(
            'div',
            { class: 'heading' },
            h('h3', {}, deviceLink(project, registration)),
            h('span', {}, badge(word(channel)), ' ', stateOf({ state }), reason && [' ', badge(word(reason))]),
        ),
        explanation &&
            notice(
                state === 'FAILED' ? 'bad' : 'info',
                h('p', {}, explanation),
                nextStep && h('p', {}, h('strong', {}, 'Next step: '), nextStep),
            ),
        events.length > 0 &&
            h(
                'ol',
                { class: 'way' },
                events.map(({ at, isGood, words }) =>
                    h(
                        'li',
                        { class: isGood ? 'good' : 'bad' },
                        h('time', { class: 'muted', datetime: at }, moment(at)),
                        h('div', {}, words),
                    ),
                ),
            ),
        translation && json('What was sent', translation),
    );
}

function deviceLink(project, registration) {
    if (!registration) return 'A registration that is not known any more';
    return link(
        ['projects', project, 'devices', registration.registrationId],
        registration.fid || registration.tokenHint,
    );
}

function attemptWords({ status, reason, apnsId, channel }) {
    const who = channel ? word(channel) : 'APNs';
    return [
        `${who} answered ${status || ''} `,
        reason ? h('strong', {}, reason) : 'and took it',
        apnsId && [' ', h('code', { title: 'apns-id' }, apnsId)],
    ];
}
