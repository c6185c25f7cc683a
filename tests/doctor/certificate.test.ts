import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOfCertificate } from '../../src/doctor/certificate.ts';
import { tlsFile } from '../support/tls.ts';

const FILES = { tlsCertificate: tlsFile('first.pem'), tlsKey: tlsFile('first.key') };

test('findingsOfCertificate: a pair, its end, and a wrong key', () => {
  const found = (files: object, now = Date.now()) =>
    findingsOfCertificate(files, now).map(({ status, message }) => `${status}: ${message}`);
  assert.match(found(FILES)[0]!, /^ok: DNS:first\.test, .*valid until 2\d{3}-/);
  assert.match(found(FILES, Date.UTC(3000, 0))[0]!, /^warning: the TLS certificate expired on 2\d{3}-/);
  assert.match(found({ ...FILES, tlsKey: tlsFile('second.key') })[0]!, /^failed: .*is not the key of/);
  assert.deepEqual(found({}), []);
});
