// One message: its whole way, and in plain words why it did not arrive.

import { h, link } from '../dom.js';
import { get, path } from '../api.js';
import { count, moment, word } from '../format.js';
import { copyable } from '../components/secret.js';
import { badge, nothing, notice } from '../components/notice.js';
import { facts, json, page, part } from '../components/page.js';
import { shortTarget, stateOf } from './messages.js';

export async function show({ project, message: id, query, signal }) {
    const answer = await get(
        path`/projects/${project}/messages/${id}`,
        { pageToken: query.get('pageToken') ?? '' },
        signal,
    );
    const message = answer.message ?? answer;
    const deliveries = answer.deliveries ?? [];
    return page(
        message.title || answer.request?.notification?.title || 'Message',
        {
            crumb: link(['projects', project, 'messages'], 'Messages'),
            lead: [stateOf(message), ' ', message.door && `through ${message.door}`],
        },
        facts([
            ['Message id', copyable(message.messageId ?? id, 'Copy the message id')],
            ['Accepted', moment(message.acceptedAt)],
            ['Expires', message.expiresAt && moment(message.expiresAt)],
            ['To', h('bdi', {}, shortTarget(message.target))],
            ['Analytics label', message.label ?? message.analyticsLabel],
            [
                'Campaign',
                message.campaignId && link(['projects', project, 'campaigns', message.campaignId], message.campaignId),
            ],
            ...Object.entries(message.counts ?? {})
                .filter(([, value]) => typeof value === 'number')
                .map(([name, value]) => [word(name), count(value)]),
        ]),
        part(
            'What became of it',
            {},
            deliveries.length
                ? deliveries.map((delivery) => deliveryCard(project, delivery))
                : nothing('No device was to get it, or they are not known any more.'),
            answer.nextPageToken &&
                h(
                    'p',
                    { class: 'more' },
                    h(
                        'a',
                        {
                            class: 'button',
                            href: `#/projects/${encodeURIComponent(project)}/messages/${encodeURIComponent(id)}?pageToken=${encodeURIComponent(answer.nextPageToken)}`,
                        },
                        'The next recipients',
                    ),
                ),
        ),
        part(
            'What was asked, and what was made of it',
            {},
            answer.request && json('Request', answer.request),
            validation(answer.validation),
            answer.translation && json('Translation', answer.translation),
        ),
    );
}

function validation(result) {
    if (!result) return null;
    const problems = result.violations ?? result.problems ?? [];
    if (Array.isArray(problems) && problems.length === 0 && result.isValid !== false)
        return notice(
            'good',
            typeof result === 'string' ? result : (result.explanation ?? 'The checks found nothing.'),
        );
    return json('Validation', result);
}

function deliveryCard(project, delivery) {
    const { registration, channel, state, explanation, nextStep, attempts = [], reports = [] } = delivery;
    const events = [
        ...attempts.map((attempt) => ({ at: attempt.at, good: isGood(attempt), content: attemptText(attempt) })),
        ...reports.map((report) => ({
            at: report.at,
            good: true,
            content: `The device reported: ${word(report.event)}`,
        })),
    ].sort((one, other) => String(one.at).localeCompare(String(other.at)));
    return h(
        'article',
        { class: 'delivery' },
        h(
            'div',
            { class: 'heading' },
            h(
                'h3',
                {},
                link(['projects', project, 'devices', nameOf(registration)], shortTarget(nameOf(registration))),
            ),
            h('span', {}, badge(word(channel)), ' ', stateOf({ state })),
        ),
        explanation && h('p', {}, explanation),
        nextStep && notice('info', h('strong', {}, 'Next step: '), nextStep),
        events.length > 0 &&
            h(
                'ol',
                { class: 'way' },
                events.map(({ at, good, content }) =>
                    h(
                        'li',
                        { class: good ? 'good' : 'bad' },
                        h('time', { class: 'muted', datetime: at }, moment(at)),
                        h('div', {}, content),
                    ),
                ),
            ),
    );
}

const nameOf = (registration) =>
    typeof registration === 'object'
        ? (registration.token ?? registration.fid ?? registration.registrationId)
        : String(registration);
const isGood = ({ status, reason }) => (status ? status < 300 : !reason);

function attemptText({ status, reason, apnsId, channel }) {
    return [
        `${channel ?? 'APNs'} answered ${status ?? ''} `,
        reason && h('strong', {}, reason),
        apnsId && [' ', h('code', {}, apnsId)],
    ];
}
