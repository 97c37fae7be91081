// The first sign-in with a password that somebody else knows: a new one comes first.

import { h } from '../dom.js';
import { post } from '../api.js';
import { restoreSession, session } from '../session.js';
import { field, form, input } from '../components/form.js';

/** @param {{done: () => any}} options Called when the person has a password of their own. */
export function show({ done }) {
    return h(
        'div',
        { class: 'sign-in' },
        h('h1', {}, 'Choose a new password'),
        h('p', {}, `Hello ${session.user.name}. The one that you were given counts for this sign-in only.`),
        form({
            content: [
                field(
                    'Password now',
                    input('old', {
                        type: 'password',
                        autocomplete: 'current-password',
                        required: true,
                        autofocus: true,
                    }),
                ),
                field(
                    'New password',
                    input('new', { type: 'password', autocomplete: 'new-password', required: true }),
                    { hint: 'At least 12 characters.' },
                ),
            ],
            submit: 'Set the password',
            send: async (values) => {
                await post('/users/me/password', { old: values.old, new: values.new });
                await restoreSession();
                await done();
            },
        }),
    );
}
