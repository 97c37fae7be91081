// Who did what.

import { h } from '../dom.js';
import { get } from '../api.js';
import { session } from '../session.js';
import { moment, word } from '../format.js';
import { page } from '../components/page.js';
import { pagedTable } from '../components/table.js';

export async function show({ query, signal }) {
    // Who administers projects alone sees the log of one of them: the one that was on show last.
    const own = session.user.isAdministrator ? undefined : sessionStorage.getItem('project');
    const projectId = query.get('project') ?? own ?? undefined;
    return page(
        'Audit log',
        { lead: 'Every change made in the console or through its API, newest first.' },
        await pagedTable({
            caption: 'Audit log',
            noun: 'entry',
            empty: 'Nothing was changed yet.',
            columns: [
                { title: 'When', cell: (entry) => h('time', { datetime: entry.time }, moment(entry.time)) },
                { title: 'Who', cell: (entry) => entry.user },
                { title: 'What', cell: (entry) => what(entry.action) },
                { title: 'Project', cell: (entry) => entry.projectId ?? '' },
                { title: 'On', cell: (entry) => h('code', { class: 'long' }, entry.subject ?? '') },
                {
                    title: 'Detail',
                    cell: (entry) => h('span', { class: 'long' }, entry.detail),
                },
            ],
            list: 'entries',
            ask: (pageToken) => get('/audit', { projectId, pageToken }, signal),
        }),
    );
}

const VERBS = {
    create: 'made',
    update: 'changed',
    delete: 'deleted',
    send: 'sent a message',
    test: 'sent as a test',
    publish: 'published',
    pause: 'paused',
    resume: 'resumed',
    cancel: 'cancelled',
    duplicate: 'copied',
    setProperties: 'properties set',
    changeOwnPassword: 'changed the own password',
};
const WHOLE = { 'session.create': 'Signed in', 'session.refused': 'Wrong password' };
const THINGS = { apnsKey: 'APNs key', apnsCertificate: 'APNs certificate', token: 'Console token', user: 'Person' };

/** `serverKey.create`, the name of an operation of the API, in words. @param {string} action */
function what(action) {
    const [thing, verb] = action.split('.');
    const name = THINGS[thing] ?? word(thing.replace(/[A-Z]/g, '_$&'));
    const text = WHOLE[action] ?? `${name}: ${VERBS[verb] ?? verb}`;
    return h('span', { title: action }, text);
}
