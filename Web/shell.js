// The frame around every page: banner, navigation, the place of the page, and what is said to screen readers.

import { address, h, link, replace } from './dom.js';
import { get } from './api.js';
import { may, session, signOut } from './session.js';
import { icon } from './components/icon.js';
import { themeSwitch } from './theme.js';

const page = h('main', { id: 'main', tabindex: '-1' });
const sections = h('nav', { id: 'sections', 'aria-label': 'Sections' });
const projectChoice = h('select', { 'aria-label': 'Project', onchange: changeProject });
const announcer = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
const menu = h(
    'button',
    {
        class: 'quiet menu',
        type: 'button',
        'aria-expanded': 'false',
        'aria-controls': 'sections',
        onclick: toggleMenu,
    },
    icon('menu'),
    h('span', { class: 'visually-hidden' }, 'Menu'),
);

/** The element that holds the page. */
export const main = () => page;

/** Says something to screen readers, and shows it for a while. @param {string} text */
export function announce(text) {
    replace(announcer, text);
    document.querySelector('.toast')?.remove();
    const toast = h('div', { class: 'toast', 'aria-hidden': 'true' }, text);
    document.body.append(toast);
    setTimeout(() => {
        toast.remove();
        if (announcer.textContent === text) replace(announcer);
    }, 4000);
}

/** Shows a page without navigation: the sign-in. */
export function frameless(content) {
    replace(page, content);
    page.className = 'alone';
    replace(document.body, page, announcer);
}

/** Shows a page. */
export function fill(content) {
    page.className = '';
    page.removeAttribute('aria-busy');
    replace(page, content);
}

/** Draws banner and navigation. @param {string} [section] The one on show. @param {string} [project] Its id. */
export async function frame(section, project) {
    page.setAttribute('aria-busy', 'true');
    if (!sections.isConnected) {
        page.className = '';
        replace(document.body, skipLink(), banner(), h('div', { class: 'frame' }, sections, page), announcer);
    }
    const projects = await knownProjects();
    const current = project ?? remembered(projects);
    if (project) sessionStorage.setItem('project', project);
    drawProjects(projects, current);
    drawSections(section, current);
    closeMenu();
}

function skipLink() {
    return h('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to content');
}

function skip(event) {
    event.preventDefault();
    (page.querySelector('h1') ?? page).focus();
}

function banner() {
    return h(
        'header',
        { class: 'banner' },
        menu,
        h(
            'a',
            { class: 'brand', href: '#/' },
            h('img', { src: '/assets/icons/pharos.svg', alt: '', width: 24, height: 24 }),
            'Pharos',
        ),
        projectChoice,
        h('div', { class: 'spacer' }),
        themeSwitch(),
        link(['account'], [icon('person'), h('span', { class: 'wide' }, session.user.name)], {
            class: 'quiet button',
            'aria-label': `Account of ${session.user.name}`,
        }),
        h(
            'button',
            { class: 'quiet', type: 'button', onclick: leave },
            icon('leave'),
            h('span', { class: 'wide' }, 'Sign out'),
        ),
    );
}

async function leave() {
    await signOut();
    location.hash = '#/';
    location.reload();
}

async function knownProjects() {
    const answer = await get('/projects', { pageSize: 200 }).catch(() => ({}));
    return answer.projects ?? [];
}

function remembered(projects) {
    const last = sessionStorage.getItem('project');
    return projects.some((project) => project.projectId === last) ? last : projects[0]?.projectId;
}

function drawProjects(projects, current) {
    replace(
        projectChoice,
        projects.map((project) =>
            h(
                'option',
                {
                    value: project.projectId,
                    selected: project.projectId === current,
                },
                project.displayName || project.projectId,
            ),
        ),
    );
    projectChoice.hidden = projects.length === 0;
}

function changeProject() {
    location.hash = address(['projects', projectChoice.value]);
}

function drawSections(section, project) {
    const inProject =
        project &&
        [
            ['overview', 'Overview', [], 'home'],
            project === session.iPhoneProject && ['iphones', 'Virtual iPhones', ['iphones'], 'phone'],
            ['campaigns', 'Campaigns', ['campaigns'], 'bell'],
            ['reports', 'Reports', ['reports'], 'chart'],
            ['messages', 'Messages', ['messages'], 'search'],
            ['devices', 'Devices', ['devices'], 'devices'],
            ['topics', 'Topics', ['topics'], 'topic'],
            ['apps', 'Apps', ['apps'], 'app'],
            ['keys', 'Keys', ['keys'], 'key'],
        ]
            .filter(Boolean)
            .map(([name, title, steps, picture]) => entry(name, title, ['projects', project, ...steps], picture));
    const everywhere = [
        ['projects', 'All projects', 'folder'],
        session.user.isAdministrator && ['users', 'People', 'people'],
        (session.user.isAdministrator || may('administrator', project)) && ['audit', 'Audit log', 'list'],
        ['server', 'Server', 'server'],
    ]
        .filter(Boolean)
        .map(([name, title, picture]) => entry(name, title, [name], picture));
    replace(sections, inProject && h('ul', {}, inProject), h('ul', {}, everywhere));

    function entry(name, title, steps, picture) {
        const mark = name === section ? { 'aria-current': 'page' } : {};
        return h('li', {}, link(steps, [icon(picture), title], mark));
    }
}

function toggleMenu() {
    const opens = menu.getAttribute('aria-expanded') !== 'true';
    menu.setAttribute('aria-expanded', String(opens));
    sections.classList.toggle('open', opens);
    if (opens) sections.querySelector('a')?.focus();
}

function closeMenu() {
    menu.setAttribute('aria-expanded', 'false');
    sections.classList.remove('open');
}
