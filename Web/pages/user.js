// One person: roles, password, removal.

import { go, h, link } from '../dom.js';
import { get, patch, path, remove } from '../api.js';
import { announce } from '../shell.js';
import { session } from '../session.js';
import { button, page, part } from '../components/page.js';
import { check, field, form, input, select } from '../components/form.js';
import { ask } from '../components/dialog.js';

const ROLES = [
    ['', 'No access'],
    ['viewer', 'Viewer: sees everything'],
    ['editor', 'Editor: sends and schedules'],
    ['administrator', 'Administrator: apps and keys too'],
];

export async function show({ user: id, signal }) {
    const [user, { projects = [] }] = await Promise.all([
        get(path`/users/${id}`, {}, signal),
        get('/projects', { pageSize: 200 }, signal),
    ]);
    const isSelf = user.name === session.user.name;
    return page(
        user.name,
        {
            crumb: link(['users'], 'People'),
            actions: !isSelf && button('Remove', () => erase(id, user), 'danger'),
        },
        part('Roles', {}, rolesForm(id, user, projects)),
        isSelf
            ? h('p', {}, 'Your own password is changed on the page of ', link(['account'], 'your account'), '.')
            : part('New password', {}, passwordForm(id)),
    );
}

function rolesForm(id, user, projects) {
    return form({
        content: [
            h('p', { class: 'hint' }, 'An administrator of the server may do everything in every project.'),
            check('Administrator of the whole server', {
                name: 'isAdministrator',
                value: 'yes',
                checked: Boolean(user.isAdministrator),
            }),
            projects.map(({ projectId, displayName }) =>
                field(
                    displayName || projectId,
                    select(`role:${projectId}`, ROLES, { value: (user.roles ?? {})[projectId] ?? '' }),
                ),
            ),
        ],
        submit: 'Save the roles',
        send: async (values) => {
            const roles = Object.fromEntries(
                projects.map(({ projectId }) => [projectId, values[`role:${projectId}`] || null]),
            );
            await patch(path`/users/${id}`, { isAdministrator: values.isAdministrator === 'yes', roles });
            announce('The roles are saved.');
        },
    });
}

function passwordForm(id) {
    return form({
        content: field('New password', input('password', { type: 'password', autocomplete: 'new-password' }), {
            hint: 'At least 12 characters. It ends the person’s sessions.',
        }),
        submit: 'Set the password',
        kind: '',
        send: async ({ password }, element) => {
            await patch(path`/users/${id}`, { password });
            element.reset();
            announce('The password is set.');
        },
    });
}

function erase(id, { name }) {
    ask(
        `Remove ${name}?`,
        h('span', {}, 'Their sessions end now. What they did stays in the audit log.'),
        'Remove',
        async () => {
            await remove(path`/users/${id}`);
            announce(`${name} is removed.`);
            go(['users']);
        },
    );
}
