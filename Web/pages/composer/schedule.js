// Third step: when it is sent.

import { h, replace } from '../../dom.js';
import { weekdays } from '../../campaign-states.js';
import { dateField } from '../../format.js';
import { check, choice, field, input, select } from '../../components/form.js';
import { names } from './campaign.js';
import { momentsOf } from './moments.js';

const KINDS = [
    ['NOW', 'Now', 'when it is published'],
    ['AT', 'At a time'],
    ['DAILY', 'Daily'],
    ['WEEKLY', 'Weekly'],
    ['CUSTOM', 'Custom', 'every so many days'],
];

/** @param {{project: string, draft: Object, signal: AbortSignal, today: Date}} context */
export function scheduleStep({ project, draft, signal, today }) {
    draft.schedule ??= { kind: 'NOW' };
    const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const detail = h('div', { class: 'page' });
    const moments = momentsOf({ project, draft, signal });
    draw();
    return {
        element: h(
            'div',
            { class: 'page' },
            choice('Send it', 'schedule', KINDS, draft.schedule.kind, choose),
            detail,
            moments.element,
        ),
        entered: moments.tell,
    };

    function choose(kind) {
        const { timeZone = ownZone, ifMissed = 'SEND', timeOfDay = '09:00', endDate } = draft.schedule;
        const repeated = {
            kind,
            timeZone,
            ifMissed,
            timeOfDay,
            startDate: draft.schedule.startDate ?? dateField(today),
            endDate,
        };
        draft.schedule = {
            NOW: () => ({ kind }),
            AT: () => ({
                kind,
                timeZone,
                ifMissed,
                at: draft.schedule.at ?? `${dateField(new Date(today.valueOf() + 86_400_000))}T09:00:00`,
            }),
            DAILY: () => repeated,
            WEEKLY: () => ({ ...repeated, weekdays: ['MON'] }),
            CUSTOM: () => ({ ...repeated, everyDays: 2 }),
        }[kind]();
        draw();
        moments.tell();
    }

    function set(key, value) {
        if (value === '' || value === undefined) delete draft.schedule[key];
        else draft.schedule[key] = value;
        moments.tellSoon();
    }

    function draw() {
        const { schedule } = draft;
        const { kind } = schedule;
        if (kind === 'NOW') return replace(detail);
        return replace(
            detail,
            kind === 'AT' ? whenOnce(schedule) : whenRepeated(schedule),
            zoneField(schedule),
            choice(
                'When the server was down then',
                'ifMissed',
                [
                    ['SEND', 'Send it late'],
                    ['SKIP', 'Leave it out'],
                ],
                schedule.ifMissed ?? 'SEND',
                (value) => set('ifMissed', value),
            ),
        );
    }

    function whenOnce(schedule) {
        return field(
            'Date and time',
            input('at', {
                type: 'datetime-local',
                value: String(schedule.at).slice(0, 16),
                oninput: (event) => set('at', event.target.value && `${event.target.value}:00`),
            }),
            { names: names('schedule.at') },
        );
    }

    function whenRepeated(schedule) {
        const bind = (key, attributes) =>
            input(key, { value: schedule[key] ?? '', oninput: (event) => set(key, event.target.value), ...attributes });
        return [
            schedule.kind === 'CUSTOM' &&
                field(
                    'Every',
                    input('everyDays', {
                        type: 'number',
                        min: 1,
                        max: 366,
                        value: schedule.everyDays ?? 2,
                        oninput: (event) => set('everyDays', Number(event.target.value)),
                    }),
                    { hint: 'Days from one to the next.', names: names('schedule.everyDays') },
                ),
            schedule.kind === 'WEEKLY' && weekdayChoice(schedule),
            h(
                'div',
                { class: 'row' },
                field('Time', bind('timeOfDay', { type: 'time' }), { names: names('schedule.timeOfDay') }),
                field('From', bind('startDate', { type: 'date' }), { names: names('schedule.startDate') }),
                field('Until', bind('endDate', { type: 'date' }), { optional: true, names: names('schedule.endDate') }),
            ),
        ];
    }

    function weekdayChoice(schedule) {
        const element = h(
            'fieldset',
            { class: 'field' },
            h('legend', {}, 'On'),
            h(
                'div',
                { class: 'weekdays' },
                weekdays.map(([code, name]) =>
                    check(name, {
                        checked: schedule.weekdays.includes(code),
                        onchange: (event) =>
                            set(
                                'weekdays',
                                weekdays
                                    .map(([each]) => each)
                                    .filter((each) =>
                                        each === code ? event.target.checked : draft.schedule.weekdays.includes(each),
                                    ),
                            ),
                    }),
                ),
            ),
            h('p', { class: 'mistake', role: 'alert', hidden: true }),
        );
        element.dataset.names = names('schedule.weekdays').join(' ');
        return element;
    }

    function zoneField(schedule) {
        const zones = [
            ...new Set([
                ownZone,
                ...(schedule.timeZone && schedule.timeZone !== 'RECIPIENT' ? [schedule.timeZone] : []),
                'UTC',
                ...Intl.supportedValuesOf('timeZone'),
            ]),
        ];
        return field(
            'Time zone',
            select(
                'timeZone',
                [['RECIPIENT', 'Each recipient’s own'], ...zones.map((zone) => [zone, zone.replaceAll('_', ' ')])],
                {
                    value: schedule.timeZone ?? ownZone,
                    onchange: (event) => set('timeZone', event.target.value),
                },
            ),
            { names: names('schedule.timeZone'), hint: 'Daylight-saving time is kept in mind.' },
        );
    }
}
