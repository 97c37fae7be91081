// The emulator's view: virtual iPhones that one can touch, and a way to send to them.

import { h, replace } from '../dom.js';
import { emulator } from '../api.js';
import { startPhone } from '../emulated-phones.js';
import { announce } from '../shell.js';
import { icon } from '../components/icon.js';
import { nothing, problem } from '../components/notice.js';
import { button, page, part, working } from '../components/page.js';
import { clockCard, faultsCard } from './iphones/switches.js';
import { phoneCard } from './iphones/phone-card.js';
import { quickSend } from './iphones/quick-send.js';

const REFRESH_MILLISECONDS = 700;
const MESSAGES_EVERY = 4;

export async function show({ project, signal }) {
    const cards = new Map();
    let messages = [];
    let listed = '';
    let rounds = 0;
    const grid = h('div', { class: 'phones' });
    const failure = h('div', { class: 'result' });
    const sender = quickSend(project, refresh);
    const sending = part(
        'Send a notification',
        { lead: 'It goes the whole way: this server, the APNs simulator, the phone.' },
        sender.element,
    );
    const empty = nothing(
        'There is no virtual iPhone yet.',
        button([icon('plus'), 'Start a virtual iPhone'], start, 'primary'),
    );
    const clock = clockCard(refresh);
    await refresh();
    follow();
    return page(
        'Virtual iPhones',
        {
            lead: 'Each runs the real SDK on a simulated iOS. Touch them as you would touch a phone.',
            actions: button([icon('plus'), 'Start another'], start, '', {
                id: 'start-phone',
                'aria-label': 'Start a virtual iPhone',
            }),
        },
        failure,
        empty,
        h(
            'div',
            { class: 'lab' },
            h(
                'div',
                { class: 'bench' },
                sending,
                faultsCard(() => [...cards.keys()]),
                clock.element,
            ),
            grid,
        ),
    );

    function start(event) {
        replace(failure);
        const work = async () => {
            const { device } = await startPhone();
            announce(`${device} is ready.`);
            await refresh();
            sender.focus(device);
        };
        return working(event.currentTarget, work, (error) => replace(failure, problem(error)));
    }

    async function refresh() {
        const [{ devices }, time] = await Promise.all([
            emulator('GET', '/devices', undefined, signal),
            emulator('GET', '/clock', undefined, signal),
        ]);
        const now = clock.update(time);
        await refreshMessages(devices);
        empty.hidden = devices.length > 0;
        sending.hidden = devices.length === 0;
        sender.update(devices);
        for (const [name, card] of cards) {
            if (devices.some(({ device }) => device === name)) continue;
            card.element.remove();
            cards.delete(name);
        }
        for (const phone of devices) {
            if (!cards.has(phone.device)) {
                cards.set(phone.device, phoneCard(project, phone.device, refresh));
                grid.append(cards.get(phone.device).element);
            }
            cards.get(phone.device).update(phone, eventsOf(phone.device, messages), now);
        }
    }

    /** The messages are many: they are asked for when a phone changed, and now and then. */
    async function refreshMessages(devices) {
        const changed = JSON.stringify(devices);
        rounds += 1;
        if (changed === listed && rounds % MESSAGES_EVERY !== 0) return;
        listed = changed;
        ({ messages } = await emulator('GET', '/messages', undefined, signal));
    }

    /** Looks again and again until the page is left; not while nobody can see it. */
    async function follow() {
        while (!signal.aborted) {
            await new Promise((resolve) => {
                setTimeout(resolve, REFRESH_MILLISECONDS);
            });
            if (signal.aborted || document.hidden) continue;
            try {
                await refresh();
                if (failure.dataset.kind === 'lost') replace(failure);
                delete failure.dataset.kind;
            } catch (error) {
                if (error.name === 'AbortError') return;
                failure.dataset.kind = 'lost';
                replace(failure, problem(error));
            }
        }
    }
}

/** What the app of a phone saw of all messages, newest first. */
function eventsOf(device, messages) {
    return messages
        .flatMap((message) => (message.targets ?? []).flatMap((target) => target.device_events ?? []))
        .filter((event) => event.device === device)
        .sort((one, other) => other.at_ms - one.at_ms);
}
