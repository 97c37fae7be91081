// The person signed in: password, and tokens for scripts.

import { h } from '../dom.js';
import { get, path, post } from '../api.js';
import { announce } from '../shell.js';
import { session } from '../session.js';
import { day } from '../format.js';
import { icon } from '../components/icon.js';
import { nothing } from '../components/notice.js';
import { button, page, part } from '../components/page.js';
import { field, form, input } from '../components/form.js';
import { askToRemove, formDialog } from '../components/dialog.js';
import { showSecret } from '../components/secret.js';
import { table } from '../components/table.js';
import { reload } from '../reload.js';

export async function show({ signal }) {
    const { tokens = [] } = await get('/tokens', {}, signal);
    return page(
        'Your account',
        { lead: `Signed in as ${session.user.name}.` },
        part('Password', {}, passwordForm()),
        part(
            'Tokens',
            {
                lead: 'With one, scripts and the command line call the console’s API as you.',
                actions: button([icon('plus'), 'New token'], create),
            },
            tokens.length
                ? table(
                      'Tokens',
                      [
                          { title: 'Name', cell: (token) => token.name },
                          { title: 'Made', cell: (token) => (token.createdAt ? day(token.createdAt) : '') },
                          { title: 'Last used', cell: (token) => (token.lastUsedAt ? day(token.lastUsedAt) : 'Never') },
                          {
                              title: '',
                              cell: (token) =>
                                  button('Delete', () => erase(token), 'quiet danger', {
                                      'aria-label': `Delete the token ${token.name || token.tokenId}`,
                                  }),
                          },
                      ],
                      tokens,
                  )
                : nothing('You have no token.'),
        ),
    );
}

function passwordForm() {
    return form({
        content: [
            h('input', {
                type: 'text',
                name: 'username',
                autocomplete: 'username',
                value: session.user.name,
                hidden: true,
                'aria-label': 'Name',
            }),
            field('Password now', input('old', { type: 'password', autocomplete: 'current-password' })),
            field('New password', input('new', { type: 'password', autocomplete: 'new-password' }), {
                hint: 'At least 12 characters.',
            }),
        ],
        submit: 'Change the password',
        kind: '',
        send: async (values, element) => {
            await post('/users/me/password', { old: values.old, new: values.new });
            element.reset();
            announce('The password is changed.');
        },
    });
}

function create() {
    formDialog('New token', {
        content: field('Name', input('name', { required: true, autofocus: true }), {
            hint: 'What uses it: “nightly report”.',
        }),
        submit: 'Make it',
        send: async (values) => {
            const made = await post('/tokens', values);
            showSecret('token', made.token).addEventListener('close', reload);
        },
    });
}

function erase(token) {
    askToRemove(
        'Delete the token?',
        'Scripts that use it are refused from now on.',
        'Delete the token',
        path`/tokens/${token.tokenId}`,
        'The token is deleted.',
    );
}
