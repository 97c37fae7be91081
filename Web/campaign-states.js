// What the states of a campaign mean, and what can be done in each.

import { path, post, remove } from './api.js';
import { badge } from './components/notice.js';
import { momentIn, plural } from './format.js';

const STATES = {
    DRAFT: ['Draft', 'plain', ['edit', 'duplicate', 'delete']],
    SCHEDULED: ['Scheduled', 'info', ['edit', 'pause', 'cancel', 'duplicate']],
    RUNNING: ['Running', 'info', ['edit', 'pause', 'cancel', 'duplicate']],
    PAUSED: ['Paused', 'warning', ['edit', 'resume', 'cancel', 'duplicate']],
    COMPLETED: ['Completed', 'good', ['duplicate', 'delete']],
    CANCELLED: ['Cancelled', 'plain', ['duplicate', 'delete']],
    FAILED: ['Failed', 'bad', ['duplicate', 'delete']],
};

/** The codes of the states and their names. */
export const states = Object.entries(STATES).map(([code, [name]]) => [code, name]);

/** @param {{state: string}} campaign */
export function stateBadge({ state }) {
    const [text, kind] = STATES[state] ?? [state, 'plain'];
    return badge(text, kind);
}

/** The actions that a campaign's state allows. @returns {string[]} */
export const actionsOf = ({ state }) => STATES[state]?.[2] ?? [];

/** Does something with a campaign. @param {'pause'|'resume'|'cancel'|'duplicate'|'publish'|'delete'} action */
export function act(project, { campaignId }, action) {
    const place = path`/projects/${project}/campaigns/${campaignId}`;
    return action === 'delete' ? remove(place) : post(`${place}:${action}`);
}

/** Whom a target reaches, in a few words. */
export function targetText(target) {
    if (!target) return 'Nobody yet';
    if (target.topic !== undefined) return `Topic ${target.topic}`;
    if (target.condition !== undefined) return `Topics: ${target.condition}`;
    if (target.device !== undefined) return 'One device';
    const rules = target.segment?.all?.length ?? 0;
    return rules === 0 ? 'Everybody' : `Everybody with ${rules} rule${rules === 1 ? '' : 's'}`;
}

const WEEKDAYS = {
    MON: 'Monday',
    TUE: 'Tuesday',
    WED: 'Wednesday',
    THU: 'Thursday',
    FRI: 'Friday',
    SAT: 'Saturday',
    SUN: 'Sunday',
};

/** The names of weekdays by their codes. */
export const weekdays = Object.entries(WEEKDAYS);

/** When a campaign is sent, in a few words. */
export function scheduleText(schedule) {
    if (!schedule) return 'Not chosen yet';
    const zone = schedule.timeZone === 'RECIPIENT' ? 'in each recipient’s time zone' : (schedule.timeZone ?? '');
    if (schedule.kind === 'AT') return `${String(schedule.at).replace('T', ' ').slice(0, 16)} ${zone}`;
    const days = daysText(schedule);
    if (!days) return 'When it is published';
    return `${days} at ${schedule.timeOfDay} ${zone}${schedule.endDate ? ` until ${schedule.endDate}` : ''}`;
}

function daysText({ kind, weekdays: codes, everyDays, dates }) {
    if (kind === 'DAILY') return 'Each day';
    if (kind === 'WEEKLY') return (codes ?? []).map((code) => WEEKDAYS[code]).join(', ');
    if (kind === 'CUSTOM')
        return dates?.length ? `On ${plural(dates.length, 'day')}` : `Every ${plural(everyDays ?? 1, 'day')}`;
    return undefined;
}

/** A moment that the server will use, with the clocks of the campaign's zone. */
export function occurrenceText(moment, schedule) {
    const zone = schedule?.timeZone;
    return momentIn(moment, !zone || zone === 'RECIPIENT' ? 'UTC' : zone);
}
