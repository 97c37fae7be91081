// The way in.

import { h } from '../dom.js';
import { signIn } from '../session.js';
import { field, form, input } from '../components/form.js';

/** @param {{done: () => any}} options Called when the person is signed in. */
export function show({ done }) {
    return h(
        'div',
        { class: 'sign-in' },
        h('img', { src: '/assets/icons/pharos.svg', alt: '', width: 48, height: 48 }),
        h('h1', {}, 'Sign in to Pharos'),
        form({
            content: [
                field(
                    'Name',
                    input('name', {
                        autocomplete: 'username',
                        required: true,
                        autofocus: true,
                        autocapitalize: 'none',
                        spellcheck: 'false',
                    }),
                ),
                field(
                    'Password',
                    input('password', { type: 'password', autocomplete: 'current-password', required: true }),
                ),
            ],
            submit: 'Sign in',
            send: async ({ name, password }) => {
                await signIn(name, password);
                await done();
            },
        }),
        h(
            'p',
            { class: 'hint' },
            'The first administrator’s name and password are printed when the server first starts.',
        ),
    );
}
