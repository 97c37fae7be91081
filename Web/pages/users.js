// Everybody who may sign in.

import { go, h, link } from '../dom.js';
import { get, post } from '../api.js';
import { day } from '../format.js';
import { icon } from '../components/icon.js';
import { badge } from '../components/notice.js';
import { button, page } from '../components/page.js';
import { check, field, input } from '../components/form.js';
import { formDialog } from '../components/dialog.js';
import { pagedTable } from '../components/table.js';

export async function show({ signal }) {
    return page(
        'People',
        {
            lead: 'Who may sign in, and with which role in which project.',
            actions: button([icon('plus'), 'Add a person'], add, 'primary'),
        },
        await pagedTable({
            caption: 'People',
            noun: 'person',
            empty: 'There is nobody.',
            columns: [
                { title: 'Name', cell: (user) => link(['users', user.userId], user.name) },
                { title: 'Roles', cell: roles },
                { title: 'Added', cell: (user) => (user.createdAt ? day(user.createdAt) : '') },
                { title: 'Last signed in', cell: (user) => (user.lastSignInAt ? day(user.lastSignInAt) : 'Never') },
            ],
            list: 'users',
            ask: (pageToken) => get('/users', { pageToken }, signal),
        }),
    );
}

function roles(user) {
    if (user.isAdministrator) return badge('Administrator of the server', 'info');
    const entries = Object.entries(user.roles ?? {});
    return entries.length
        ? entries.map(([project, role]) => [badge(`${project}: ${role}`), ' '])
        : h('span', { class: 'muted' }, 'None yet');
}

function add() {
    formDialog('Add a person', {
        content: [
            field(
                'Name',
                input('name', { required: true, autofocus: true, autocapitalize: 'none', spellcheck: 'false' }),
                { hint: 'What they sign in with.' },
            ),
            field('Password', input('password', { type: 'password', required: true, autocomplete: 'new-password' }), {
                hint: 'At least 12 characters. They choose another when they first sign in.',
            }),
            check('Administrator of the whole server', { name: 'isAdministrator', value: 'yes' }),
        ],
        submit: 'Add',
        send: async ({ name, password, isAdministrator }) => {
            const made = await post('/users', { name, password, isAdministrator: isAdministrator === 'yes' });
            go(['users', made.userId]);
        },
    });
}
