// Starts the console, and shows the page that the address names.

import { h, replace } from './dom.js';
import { find } from './routes.js';
import { announce, fill, frame, frameless, main } from './shell.js';
import { forgetSession, restoreSession, session } from './session.js';
import { problem } from './components/notice.js';
import { button } from './components/page.js';
import { show as newPasswordPage } from './pages/new-password.js';
import { show as signInPage } from './pages/sign-in.js';

/** Ends what the page on show has running: calls, timers, streams. */
let leaving = new AbortController();
let visits = 0;

async function visit() {
    leaving.abort();
    leaving = new AbortController();
    visits += 1;
    const number = visits;
    const isFirst = number === 1;
    const { signal } = leaving;
    if (!session.user) return present(signInPage({ done: visit }), isFirst);
    if (session.user.mustChangePassword) return present(newPasswordPage({ done: visit }), isFirst);
    const { route, values, query } = find(location.hash);
    await frame(route?.section, values.project);
    let page;
    try {
        page = route ? await (await loaded(route)).show({ ...values, query, signal }) : unknownPage();
    } catch (error) {
        if (error.name === 'AbortError') return;
        if (error.status === 401) return;
        page = failedPage(error);
    }
    // A slower page must not take the place of one that was asked for later.
    if (number === visits && page) present(page, isFirst);
}

/** The module of a page. Why a browser could not load one is said in words of its own, and only a new start tries again. */
function loaded(route) {
    return route.load().catch(() => {
        throw new Error('The server does not answer. Is it running?');
    });
}

/** Puts a page on show. Its heading gets the focus, so that a screen reader says where one is. */
function present(page, isFirst) {
    if (session.user && !session.user.mustChangePassword) fill(page);
    else frameless(page);
    const heading = main().querySelector('h1');
    document.title = heading ? `${heading.textContent} – Pharos` : 'Pharos';
    if (!heading) return;
    heading.tabIndex = -1;
    if (!isFirst && !page.querySelector('[autofocus]')) heading.focus({ preventScroll: true });
    page.querySelector('[autofocus]')?.focus();
    window.scrollTo(0, 0);
}

function unknownPage() {
    return h('div', {}, h('h1', {}, 'There is no such page'), h('p', {}, h('a', { href: '#/' }, 'To the start')));
}

function failedPage(error) {
    const title = { 403: 'Not for you', 404: 'Not found' }[error.status] ?? 'This did not work';
    return h(
        'div',
        { class: 'page' },
        h('h1', {}, title),
        problem(error),
        h(
            'div',
            { class: 'actions' },
            ![403, 404].includes(error.status) && button('Try again', () => location.reload(), 'primary'),
            h('a', { class: 'button', href: '#/' }, 'To the start'),
        ),
    );
}

window.addEventListener('hashchange', visit);
window.addEventListener('pharos:signed-out', () => {
    if (!session.user) return;
    forgetSession();
    announce('The session has ended. Sign in again.');
    visit();
});

try {
    await restoreSession();
    await visit();
} catch (error) {
    replace(document.body, h('main', { class: 'alone' }, failedPage(error)));
}
