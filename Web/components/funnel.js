// How far messages came: the steps from targeted to opened.

import { h } from '../dom.js';
import { count, share } from '../format.js';

/** The steps of a message's way, in order, with their names. */
export const STEPS = [
    ['targeted', 'Targeted'],
    ['sent', 'Sent'],
    ['accepted', 'Taken by APNs'],
    ['received', 'Received'],
    ['displayed', 'Displayed'],
    ['opened', 'Opened'],
];

const MEANINGS = [
    ['Targeted', 'Devices that it was for when it was sent.'],
    ['Sent', 'Handed to Apple’s push service (APNs), to the direct channel or to a browser’s push service.'],
    ['Taken by APNs', 'Apple answered that it delivers it.'],
    ['Received', 'The app reported that it came: with a service extension that reports, in the foreground, or by the direct channel. An app without these is not counted, though it shows the notification.'],
    ['Displayed', 'The app reported that it was shown.'],
    ['Opened', 'Somebody tapped it.'],
    ['Dismissed', 'Somebody put it away, and the app reported it.'],
];

/** What the steps mean, to open. */
function meanings() {
    return h(
        'details',
        {},
        h('summary', {}, 'What the words mean'),
        h(
            'dl',
            { class: 'meanings' },
            MEANINGS.map(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]),
        ),
    );
}

/** Bars with their numbers. @param {Object} counts The counts of a report. */
export function funnel(counts) {
    const whole = Math.max(counts.targeted ?? 0, counts.sent ?? 0);
    return [
        h(
            'dl',
            { class: 'funnel' },
            STEPS.map(([key, name]) => bar(name, counts[key] ?? 0, whole)),
        ),
        failures(counts),
        meanings(),
    ];
}

function bar(name, value, whole) {
    const fill = h('div', { class: 'fill' });
    fill.style.width = `${whole ? Math.min(100, (100 * value) / whole) : 0}%`;
    return h(
        'div',
        {},
        h('dt', {}, name),
        h('dd', { class: 'track', 'aria-hidden': 'true' }, value > 0 && fill),
        h('dd', { class: 'value' }, `${count(value)} (${share(value, whole)})`),
    );
}

function failures({ failed, dismissed, failures: reasons = {} }) {
    const lines = Object.entries(reasons).sort(([, one], [, other]) => other - one);
    return h(
        'div',
        {},
        dismissed > 0 && h('p', {}, `Dismissed: ${count(dismissed)}`),
        failed > 0 && h('p', {}, `Failed: ${count(failed)}`),
        lines.length > 0 &&
            h(
                'ul',
                {},
                lines.map(([reason, number]) => h('li', {}, h('code', {}, reason), ` ${count(number)}`)),
            ),
    );
}
