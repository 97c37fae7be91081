// Faults and the virtual clock: what one cannot ask of the real world.

import { h, replace } from '../../dom.js';
import { emulator } from '../../api.js';
import { announce } from '../../shell.js';
import { button, facts, part } from '../../components/page.js';
import { field, form, input, select } from '../../components/form.js';

const FAULTS = {
    'apns-410': [
        'APNs: the app was uninstalled (410 Unregistered)',
        { door: 'apns', status: 410, reason: 'Unregistered' },
    ],
    'apns-400': [
        'APNs: wrong device token (400 BadDeviceToken)',
        { door: 'apns', status: 400, reason: 'BadDeviceToken' },
    ],
    'apns-403': [
        'APNs: the key is not taken (403 InvalidProviderToken)',
        { door: 'apns', status: 403, reason: 'InvalidProviderToken' },
    ],
    'apns-429': [
        'APNs: too many pushes (429 TooManyRequests)',
        { door: 'apns', status: 429, reason: 'TooManyRequests' },
    ],
    'apns-503': [
        'APNs: out of order (503 ServiceUnavailable)',
        { door: 'apns', status: 503, reason: 'ServiceUnavailable' },
    ],
    'apns-late': ['APNs: answers after two seconds', { door: 'apns', delay_ms: 2000 }],
    'send-429': ['This server: quota exceeded (429)', { door: 'send', status: 429 }],
    'send-503': ['This server: unavailable (503)', { door: 'send', status: 503 }],
    'mcs-disconnect': ['Device channel: ends now', { door: 'mcs', reason: 'disconnect' }],
    'mcs-refused': ['Device channel: logins are refused', { door: 'mcs', status: 401 }],
};

/** Faults to order. @param {() => string[]} phones The names of the phones. */
export function faultsCard(phones) {
    const target = select('target', [['', 'Everyone']], { onfocus: refill, onpointerdown: refill });
    return part(
        'Faults',
        { lead: 'The next sends fail as you order.' },
        form({
            content: [
                field(
                    'What goes wrong',
                    select(
                        'fault',
                        Object.entries(FAULTS).map(([key, [text]]) => [key, text]),
                    ),
                ),
                h(
                    'div',
                    { class: 'row' },
                    field('For', target),
                    field('How often', input('count', { type: 'number', min: 1, max: 1000000, value: 1 })),
                ),
            ],
            submit: 'Order it',
            kind: '',
            send: async ({ fault, target: device, count }) => {
                const [text, order] = FAULTS[fault];
                const isNow = order.reason === 'disconnect';
                await emulator('POST', '/faults', {
                    ...order,
                    ...(device && { target: device }),
                    ...(!isNow && { count: Number(count) }),
                });
                announce(`Ordered: ${text}`);
            },
            actions: button('Forget all faults', forget, 'quiet'),
        }),
    );

    function refill() {
        const names = phones();
        if (target.options.length === names.length + 1) return;
        const chosen = target.value;
        replace(
            target,
            h('option', { value: '' }, 'Everyone'),
            names.map((name) => h('option', { value: name, selected: name === chosen }, name)),
        );
    }

    async function forget() {
        await emulator('DELETE', '/faults');
        announce('All faults are forgotten.');
    }
}

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' });

/** The emulator's clock. @param {() => Promise<any>} refresh */
export function clockCard(refresh) {
    const now = h('time', {});
    const element = part(
        'Clock',
        { lead: 'Schedules, times to live and the ages of tokens go by it.' },
        facts([['Now', now]]),
        h(
            'div',
            { class: 'actions' },
            [
                ['1 minute', 60],
                ['1 hour', 3600],
                ['1 day', 86400],
                ['1 week', 604800],
            ].map(([text, seconds]) => button(`+ ${text}`, () => advance(seconds, text))),
        ),
    );
    return { element, update };

    async function advance(seconds, text) {
        await emulator('POST', '/clock', { advance_seconds: seconds });
        announce(`The clock is ${text} ahead of before.`);
        await refresh();
    }

    /** @returns {Date} The time there. */
    function update(answer) {
        const date = new Date(answer.now_ms ?? answer.now ?? Date.now());
        const text = moments.format(date);
        if (now.textContent !== text) now.textContent = text;
        return date;
    }
}
