// Keys of the Apple developer account, with which the server speaks to APNs.

import { h, replace } from '../../dom.js';
import { get, path, post, remove } from '../../api.js';
import { announce } from '../../shell.js';
import { may } from '../../session.js';
import { icon } from '../../components/icon.js';
import { nothing, notice, problem } from '../../components/notice.js';
import { button, part } from '../../components/page.js';
import { field, input, textArea } from '../../components/form.js';
import { ask, formDialog } from '../../components/dialog.js';
import { table } from '../../components/table.js';
import { reload } from '../../reload.js';

/** @param {string} project @param {AbortSignal} signal */
export async function apnsKeys(project, signal) {
    const answer = await get(path`/projects/${project}/apns-keys`, {}, signal);
    const keys = answer.apnsKeys ?? [];
    const edits = may('administrator', project);
    const result = h('div', { class: 'result', 'aria-live': 'polite' });
    return part(
        'APNs keys',
        {
            id: 'apns-keys',
            lead: 'From the Apple developer account: Certificates, Identifiers & Profiles, Keys.',
            actions: edits && button([icon('plus'), 'Upload a key'], () => upload(project)),
        },
        keys.length
            ? table('APNs keys', columns(project, edits, result), keys)
            : nothing('Without an APNs key no Apple device gets a message.'),
        result,
    );
}

function columns(project, edits, result) {
    return [
        { title: 'Key id', cell: (key) => h('code', {}, key.keyId) },
        { title: 'Team id', cell: (key) => h('code', {}, key.teamId ?? 'Certificate') },
        { title: 'Apps', cell: (key) => (key.bundleIds?.length ? key.bundleIds.join(', ') : 'All') },
        { title: 'For', cell: (key) => key.environments.join(', ') },
        {
            title: '',
            cell: (key) =>
                edits &&
                h(
                    'div',
                    { class: 'actions' },
                    button('Check with Apple', () => check(project, key, result), '', {
                        'aria-label': `Check ${key.keyId} with Apple`,
                    }),
                    button('Delete', () => erase(project, key), 'quiet danger', {
                        'aria-label': `Delete ${key.keyId}`,
                    }),
                ),
        },
    ];
}

async function check(project, key, result) {
    replace(result, h('p', {}, `Asking APNs with ${key.keyId} …`));
    try {
        const answer = await post(`${path`/projects/${project}/apns-keys/${key.keyId}`}:check`);
        replace(
            result,
            answer.results.map(({ isGood, title, message, nextStep }) =>
                notice(
                    isGood ? 'good' : 'warning',
                    h('p', {}, h('strong', {}, title), ` ${message}`),
                    nextStep && h('p', {}, nextStep),
                ),
            ),
        );
    } catch (error) {
        replace(result, problem(error));
    }
}

function upload(project) {
    const text = textArea('key', {
        required: true,
        rows: 6,
        spellcheck: 'false',
        placeholder: '-----BEGIN PRIVATE KEY-----',
    });
    const keyID = input('keyId', { required: true, maxlength: 10, autocapitalize: 'characters', spellcheck: 'false' });
    const file = h('input', { type: 'file', accept: '.p8,.pem', onchange: read });
    formDialog('Upload an APNs key', {
        content: [
            field('Key file', file, {
                names: [],
                hint: 'AuthKey_XXXXXXXXXX.p8. It is read here and sent to this server only.',
            }),
            field('Key', text, { hint: 'The text of the file, when you have no file.' }),
            field('Key id', keyID, { hint: '10 letters and digits; part of the file’s name.' }),
            field(
                'Team id',
                input('teamId', { required: true, maxlength: 10, autocapitalize: 'characters', spellcheck: 'false' }),
                { hint: '10 letters and digits; shown in the developer account.' },
            ),
            field('Bundle ids', input('bundleIds', { autocapitalize: 'none', spellcheck: 'false' }), {
                optional: true,
                hint: 'With commas between. Leave it empty to use the key for all apps.',
            }),
        ],
        submit: 'Upload',
        send: async ({ bundleIds, key, keyId, teamId }) => {
            const ids = bundleIds
                .split(',')
                .map((id) => id.trim())
                .filter(Boolean);
            await post(path`/projects/${project}/apns-keys`, {
                key,
                keyId: keyId.trim(),
                teamId: teamId.trim(),
                ...(ids.length && { bundleIds: ids }),
            });
            announce('The key is uploaded.');
            reload();
        },
    });

    async function read() {
        const chosen = file.files[0];
        if (!chosen || chosen.size > 65_536) return;
        text.value = await chosen.text();
        keyID.value ||= /AuthKey_(\w{10})/.exec(chosen.name)?.[1] ?? '';
    }
}

function erase(project, { keyId }) {
    ask(
        `Delete the key ${keyId}?`,
        'Apple devices whose apps use it get no messages until there is another one.',
        'Delete the key',
        async () => {
            await remove(path`/projects/${project}/apns-keys/${keyId}`);
            announce('The key is deleted.');
            reload();
        },
    );
}
