// Times and numbers as people read them.

const numbers = new Intl.NumberFormat('en');
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** @param {number|undefined} value */
export const count = (value) => numbers.format(value ?? 0);

/** A moment in the reader's own time zone. @param {string|undefined} text RFC 3339 */
export function moment(text) {
    const date = new Date(text ?? NaN);
    return Number.isNaN(date.valueOf()) ? '–' : moments.format(date);
}

/** A moment as the clocks of a time zone show it, with its difference from UTC. */
export function momentIn(text, timeZone) {
    try {
        return new Intl.DateTimeFormat('en', {
            timeZone,
            weekday: 'short',
            day: 'numeric',
            month: 'short',
            year: 'numeric',
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
            timeZoneName: 'longOffset',
        }).format(new Date(text));
    } catch {
        return moment(text);
    }
}

/** A day: `2026-12-01` or the start of a moment. */
export function day(text) {
    const date = new Date(`${String(text).slice(0, 10)}T00:00:00Z`);
    return Number.isNaN(date.valueOf()) ? String(text) : days.format(date);
}

/** The part of a whole: `12.5 %`. */
export function share(part, whole) {
    return whole ? `${((100 * (part ?? 0)) / whole).toFixed(1)} %` : '–';
}

/** `READ_ONLY` as a word: `Read only`. */
export function word(code) {
    if (code === 'APNS') return 'APNs';
    const text = String(code ?? '')
        .toLowerCase()
        .replaceAll('_', ' ');
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the API calls platforms of apps, and people. */
export const PLATFORMS = { ios: 'Apple', android: 'Android', web: 'Web' };

/** An app as people tell it from others: one name may stand for several platforms. */
export const appName = ({ displayName, bundleId, platform }) =>
    `${displayName || bundleId} (${PLATFORMS[platform] ?? platform})`;

/** A span in seconds as people say it: `4 weeks`, `90 minutes`. */
export function span(seconds) {
    for (const [name, length] of [
        ['week', 604800],
        ['day', 86400],
        ['hour', 3600],
        ['minute', 60],
    ]) {
        if (seconds >= length && seconds % length === 0) return plural(seconds / length, name);
    }
    return plural(seconds, 'second');
}

/** `1 device`, `2 devices`. */
export function plural(number, name) {
    return `${count(number)} ${name}${number === 1 ? '' : 's'}`;
}

/** The day of a moment for a date field, in UTC. */
export function dateField(date) {
    return date.toISOString().slice(0, 10);
}
