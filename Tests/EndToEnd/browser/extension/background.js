// Everything that chrome.gcm sees goes to the test.
'use strict';

const waiting = [];

// The test adds `pharosTell` when it attaches; what happened before waits.
function tell(event, fields) {
    waiting.push(JSON.stringify({ event, ...fields }));
    flush();
}

function flush() {
    while (globalThis.pharosTell && waiting.length) pharosTell(waiting.shift());
    return true;
}

chrome.gcm.onMessage.addListener(message => tell('message', message));
chrome.gcm.onMessagesDeleted.addListener(() => tell('deleted', {}));
chrome.gcm.onSendError.addListener(error => tell('sendError', error));

function register(senders) {
    return new Promise(resolve => chrome.gcm.register(
        senders, token => resolve({ token, error: chrome.runtime.lastError?.message ?? null })));
}

function send(message) {
    return new Promise(resolve => chrome.gcm.send(
        message, id => resolve({ id, error: chrome.runtime.lastError?.message ?? null })));
}

function instanceToken(authorizedEntity, scope) {
    return new Promise(resolve => chrome.instanceID.getToken(
        { authorizedEntity, scope },
        token => resolve({ token, error: chrome.runtime.lastError?.message ?? null })));
}
