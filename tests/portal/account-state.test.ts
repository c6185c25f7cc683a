import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from '../../portal/src/pages/account/browser-name.ts';
import { messageFor } from '../../portal/src/second-factor/messages.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('Account: sessions are named by browser and system', () => {
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} CriOS/156.0 Safari/604.1`, 'Chrome on iPhone'],
    [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/156.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['curl/8.9.1', 'curl/8.9.1'],
    [null, 'Unknown client'],
  ] as const) {
    assert.equal(browserName(userAgent), name);
  }
});

test('Passkey: the refusals of browsers are explained', () => {
  const said = (name: string) => messageFor({ name, message: 'technical' }, 'kpi.example.com');
  assert.match(said('NotAllowedError'), /cancelled/);
  assert.match(said('InvalidStateError'), /has a passkey/);
  assert.match(said('SecurityError'), /at kpi\.example\.com alone/);
  assert.match(said('UnknownError'), /technical/);
});
