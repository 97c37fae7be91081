// Who is signed in, and what server this is.

import { emulator, get, post, remove, useCSRFToken } from './api.js';

/** @type {{user: Object|null, server: Object, iPhoneProject?: string}} */
export const session = { user: null, server: {} };

/** Asks whether the browser is signed in already. */
export async function restoreSession() {
    try {
        await begin(await get('/session'));
    } catch (error) {
        if (error.status !== 401) throw error;
        session.user = null;
    }
}

/** @param {string} name @param {string} password */
export async function signIn(name, password) {
    await begin(await post('/session', { name, password }));
}

/** Ends the session here and on the server. */
export async function signOut() {
    await remove('/session').catch(() => {});
    forgetSession();
}

/** The server ended the session. */
export function forgetSession() {
    session.user = null;
    useCSRFToken('');
}

async function begin(answer) {
    useCSRFToken(answer.csrfToken);
    session.server = await get('/server').catch(() => ({}));
    session.iPhoneProject = session.server.isEmulator ? await projectOfIPhones() : undefined;
    session.user = answer.user;
}

/** The project whose app the virtual iPhones have. */
async function projectOfIPhones() {
    const { project } = await emulator('GET', '/devices').catch(() => ({}));
    return project ?? 'demo-pharos';
}

/** What time it is for the server: the emulator has a clock of its own. @returns {Promise<Date>} */
export async function serverTime() {
    if (!session.server.isEmulator) return new Date();
    const { now_ms: milliseconds } = await emulator('GET', '/clock').catch(() => ({}));
    return new Date(milliseconds ?? Date.now());
}

const RANKS = { viewer: 1, editor: 2, administrator: 3 };

/** Whether the person may do what needs this role in the project. @param {'viewer'|'editor'|'administrator'} role */
export function may(role, projectID) {
    const user = session.user;
    if (!user) return false;
    if (user.isAdministrator) return true;
    return (RANKS[(user.roles ?? {})[projectID]] ?? 0) >= RANKS[role];
}
