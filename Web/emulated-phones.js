// The virtual iPhones of the emulator.

import { emulator } from './api.js';

/** Those that there are; none when the emulator does not say. @param {AbortSignal} [signal] @returns {Promise<Object[]>} */
export async function listPhones(signal) {
    const { devices = [] } = await emulator('GET', '/devices', undefined, signal).catch(() => ({}));
    return devices;
}

/** Starts one, locked, and waits until its app has registered. @returns {Promise<Object>} */
export async function startPhone() {
    const { devices } = await emulator('POST', '/devices', { foreground: false });
    return devices[0];
}
