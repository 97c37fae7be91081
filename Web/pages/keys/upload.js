// The forms that give a project what it shows to APNs.

import { h } from '../../dom.js';
import { path, post } from '../../api.js';
import { announce } from '../../shell.js';
import { field, input, textArea } from '../../components/form.js';
import { formDialog } from '../../components/dialog.js';
import { reload } from '../../reload.js';

const LARGEST_FILE_BYTES = 36_000;

/** @param {string} project */
export function uploadKey(project) {
    const text = pem('key', { required: true });
    const keyID = appleId('keyId');
    const file = h('input', { type: 'file', accept: '.p8,.pem', onchange: read });
    formDialog('Upload an APNs key', {
        content: [
            h('p', {}, 'One key serves all apps of a team, and does not expire. Apple lets it be downloaded once.'),
            field('Key file', file, {
                names: [],
                hint: 'AuthKey_XXXXXXXXXX.p8. It is read here and sent to this server only.',
            }),
            field('Key', text, { hint: 'The text of the file, when you have no file.' }),
            field('Key id', keyID, { hint: '10 letters and digits; part of the file’s name.' }),
            field('Team id', appleId('teamId'), { hint: '10 letters and digits; shown in the developer account.' }),
            bundleIDs('Leave it empty to use the key for all apps.'),
        ],
        submit: 'Upload',
        send: async ({ bundleIds, key, keyId, teamId }) => {
            await post(path`/projects/${project}/apns-keys`, {
                key,
                keyId: keyId.trim(),
                teamId: teamId.trim(),
                ...listed(bundleIds),
            });
            announce('The key is uploaded.');
            reload();
        },
    });

    async function read() {
        const chosen = file.files[0];
        if (!chosen || chosen.size > LARGEST_FILE_BYTES) return;
        text.value = await chosen.text();
        keyID.value ||= /AuthKey_(\w{10})/.exec(chosen.name)?.[1] ?? '';
    }
}

/** @param {string} project */
export function uploadCertificate(project) {
    const file = h('input', { type: 'file', name: 'file', required: true, accept: '.p12,.pfx,.pem,.cer,.crt' });
    formDialog('Upload an APNs certificate', {
        content: [
            h('p', {}, 'The older way: a certificate serves one app, for about a year. A key is less work.'),
            field('Certificate file', file, {
                hint: 'A .p12 file from the key chain, or the certificate as .pem or .cer.',
            }),
            field('Password of the file', input('password', { type: 'password', autocomplete: 'off' }), {
                optional: true,
                hint: 'Of a .p12 file.',
            }),
            field('Private key', pem('key'), { optional: true, hint: 'As PEM, when the file does not hold it.' }),
            bundleIDs('Leave it empty to use it for the apps that it names.'),
        ],
        submit: 'Upload',
        send: async ({ file: chosen, password, key, bundleIds }) => {
            await post(path`/projects/${project}/apns-certificates`, {
                file: await base64(chosen),
                password,
                key,
                ...listed(bundleIds),
            });
            announce('The certificate is uploaded.');
            reload();
        },
    });
}

const pem = (name, attributes) =>
    textArea(name, { rows: 6, spellcheck: 'false', placeholder: '-----BEGIN PRIVATE KEY-----', ...attributes });

const appleId = (name) =>
    input(name, { required: true, maxlength: 10, autocapitalize: 'characters', spellcheck: 'false' });

const bundleIDs = (hint) =>
    field('Bundle ids', input('bundleIds', { autocapitalize: 'none', spellcheck: 'false' }), {
        optional: true,
        hint: `With commas between. ${hint}`,
    });

function listed(text) {
    const ids = text
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean);
    return ids.length ? { bundleIds: ids } : {};
}

/** @param {File} file */
async function base64(file) {
    if (file.size > LARGEST_FILE_BYTES) throw new Error('This file is too large to be a certificate.');
    const bytes = new Uint8Array(await file.arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
}
