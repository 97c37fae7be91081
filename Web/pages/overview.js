// A project at a glance: what is left to set up, where to go.

import { go, h, link, replace } from '../dom.js';
import { get, path, patch, remove } from '../api.js';
import { listPhones, startPhone } from '../emulated-phones.js';
import { announce } from '../shell.js';
import { may, session } from '../session.js';
import { copyable } from '../components/secret.js';
import { icon } from '../components/icon.js';
import { problem } from '../components/notice.js';
import { button, facts, page, part, working } from '../components/page.js';
import { field, input } from '../components/form.js';
import { ask, formDialog } from '../components/dialog.js';
import { reload } from '../reload.js';

export async function show({ project: id, signal }) {
    const [project, checklist, phones] = await Promise.all([
        get(path`/projects/${id}`, {}, signal),
        get(path`/projects/${id}/checklist`, {}, signal).catch(() => ({})),
        id === session.iPhoneProject ? listPhones(signal) : [],
    ]);
    const items = checklist.items ?? [];
    const left = items.filter((item) => !item.isDone).length;
    return page(
        project.displayName || id,
        { actions: actions(id) },
        id === session.iPhoneProject && tryIt(id, phones, signal),
        part(
            left ? `Set-up: ${left} of ${items.length} left` : 'Set-up is complete',
            {},
            h(
                'ol',
                { class: 'checklist' },
                items.map((item) => step(id, item)),
            ),
        ),
        part(
            'Project',
            {
                actions: may('administrator', id) && [
                    button('Rename', () => rename(project)),
                    button('Delete', () => erase(project), 'danger quiet'),
                ],
            },
            facts([
                ['Project id', copyable(id, 'Copy the project id')],
                ['Sender id', project.projectNumber && copyable(project.projectNumber, 'Copy the sender id')],
                ['API key', project.apiKey && copyable(project.apiKey, 'Copy the API key')],
            ]),
        ),
    );
}

function actions(id) {
    return (
        may('editor', id) &&
        link(['projects', id, 'campaigns', 'new'], [icon('plus'), 'New campaign'], { class: 'button primary' })
    );
}

/** The shortest way to a notification, for somebody who has just come. */
function tryIt(id, phones, signal) {
    const result = h('div', { class: 'result' });
    return h(
        'section',
        { class: 'welcome', 'aria-label': 'Try it' },
        h(
            'div',
            {},
            h('h2', {}, 'Send your first notification'),
            h(
                'p',
                {},
                phones.length
                    ? 'Virtual iPhones run already: write a few words, and see them arrive on a lock screen.'
                    : 'Start a virtual iPhone, write a few words, and see them arrive on its lock screen.',
                ' Nothing leaves this machine.',
            ),
            result,
        ),
        phones.length
            ? link(['projects', id, 'iphones'], [icon('phone'), 'Open the virtual iPhones'], { class: 'button primary' })
            : button([icon('plus'), 'Start a virtual iPhone'], (event) => start(id, event.currentTarget, result, signal), 'primary'),
    );
}

function start(id, control, result, signal) {
    const work = async () => {
        await startPhone();
        // Who has gone elsewhere meanwhile is left there.
        if (!signal.aborted) go(['projects', id, 'iphones']);
    };
    return working(control, work, (error) => replace(result, problem(error)));
}

function step(project, item) {
    const state = item.isDone ? 'Done' : 'To do';
    return h(
        'li',
        { class: item.isDone ? 'done' : 'open' },
        h(
            'span',
            { class: 'tick' },
            icon(item.isDone ? 'check' : 'clock'),
            h('span', { class: 'visually-hidden' }, state),
        ),
        h('div', {}, h('strong', {}, item.title), item.help && h('p', {}, item.help)),
        !item.isDone && nextStep(project, item),
    );
}

/** Where an item is done. The server names a section, or an address of the console. */
function nextStep(project, { link: place, title }) {
    if (!place) return null;
    const address =
        place.startsWith('#/') || place.startsWith('/') ? place : `#/projects/${encodeURIComponent(project)}/${place}`;
    return h('a', { class: 'button', href: address, 'aria-label': `Do it: ${title}` }, 'Do it');
}

function rename(project) {
    formDialog('Rename the project', {
        content: field(
            'Name',
            input('displayName', { value: project.displayName ?? '', autofocus: true, maxlength: 100 }),
        ),
        submit: 'Save',
        send: async (values) => {
            await patch(path`/projects/${project.projectId}`, values);
            reload();
        },
    });
}

function erase({ projectId, displayName }) {
    ask(
        `Delete ${displayName || projectId}?`,
        'Its apps, registrations, campaigns and reports go too. Messages that wait for devices are lost. This cannot be undone.',
        'Delete the project',
        async () => {
            await remove(path`/projects/${projectId}`);
            announce('The project is deleted.');
            go(['projects']);
        },
    );
}
