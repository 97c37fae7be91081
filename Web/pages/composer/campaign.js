// The campaign that is being composed, as the server takes it.

/** A campaign with nothing in it. @param {URLSearchParams} query `device` or `topic`: its target. */
export function blank(query) {
    const device = query.get('device');
    const topic = query.get('topic');
    return {
        name: '',
        notification: { title: '', body: '', imageUrl: '' },
        options: {
            data: {},
            sound: 'default',
            badge: null,
            clickAction: '',
            priority: 'HIGH',
            expirySeconds: 2419200,
            analyticsLabel: '',
            conversionEvent: '',
            androidChannel: '',
        },
        target: device ? { device } : topic ? { topic } : { segment: { all: [] } },
        schedule: { kind: 'NOW' },
    };
}

/** A campaign of the server, with a place for what it does not have yet. */
export function completed(campaign) {
    const { options, schedule, target, notification } = blank(new URLSearchParams());
    return {
        ...campaign,
        notification: { ...notification, ...campaign.notification },
        options: { ...options, sound: null, ...campaign.options, data: campaign.options?.data ?? {} },
        target: campaign.target ?? target,
        schedule: campaign.schedule ?? schedule,
    };
}

/** What is sent: without what the server alone says, and without what is empty. */
export function cleaned(draft) {
    const { name, notification, options, target, schedule } = draft;
    return {
        name: name || notification.title || notification.body?.trim().slice(0, 40) || 'Without a name',
        notification: filled(notification),
        options: { ...filled(options), data: options.data ?? {} },
        target: trimmed(target),
        schedule: filled(schedule),
    };
}

function filled(object) {
    return Object.fromEntries(
        Object.entries(object ?? {}).filter(
            ([, value]) => value !== '' && value !== undefined && !(Array.isArray(value) && value.length === 0),
        ),
    );
}

/** Ids that were pasted come with spaces and line breaks around them. */
function trimmed(target) {
    if (target.device !== undefined) return { device: target.device.trim() };
    if (target.topic !== undefined) return { topic: target.topic.trim().replace(/^\/topics\//, '') };
    if (target.condition !== undefined) return { condition: target.condition.trim() };
    return target;
}

/** The names of the steps of the composer. */
export const STEPS = ['Compose', 'Target', 'Schedule', 'Options', 'Review'];

/** The step that holds a field which the server names. */
export function stepOf(field = '') {
    const place = field.replace(/^campaign\./, '');
    if (/^(notification|name)/.test(place)) return 0;
    if (/^target/.test(place)) return 1;
    if (/^schedule/.test(place)) return 2;
    if (/^options/.test(place)) return 3;
    return undefined;
}

/** Both ways in which the server may name a field. */
export const names = (field) => [field, `campaign.${field}`];
