import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expiryWarning, readCertificate } from '../../../src/storage/installation/certificate.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { tlsFile } from '../../support/tls.ts';

const FIRST = { tlsCertificate: tlsFile('first.pem'), tlsKey: tlsFile('first.key') };

test('readCertificate: a pair is read with its names and its end', () => {
  const certificate = readCertificate(FIRST)!;
  assert.equal(certificate.names, 'DNS:first.test, DNS:localhost, IP Address:127.0.0.1');
  assert.ok(certificate.validTo.getTime() > Date.UTC(2100, 0));
  assert.equal(readCertificate({}), null);
});

test('readCertificate: faults name the setting and the file, and quote no content', (t) => {
  const directory = temporaryDirectory(t);
  const [text, missing] = [join(directory, 'text.pem'), join(directory, 'missing.pem')];
  writeFileSync(text, '-----BEGIN CERTIFICATE-----\nc2VjcmV0\n-----END CERTIFICATE-----\n');
  const faults: [Partial<typeof FIRST>, RegExp][] = [
    [{ tlsKey: tlsFile('second.key') }, /TLS_KEY\): \S+second\.key is not the key of the first certificate in \S+/],
    [{ tlsKey: tlsFile('encrypted.key') }, /TLS_KEY\): \S+ is encrypted\. Decrypt it first: openssl pkey -in/],
    [{ tlsKey: FIRST.tlsCertificate }, /TLS_KEY\): \S+first\.pem does not have a private key in PEM form\.$/],
    [{ tlsKey: missing }, /TLS_KEY\): \S+missing\.pem cannot be read \(ENOENT\)\.$/],
    [{ tlsCertificate: missing }, /TLS_CERTIFICATE\): \S+missing\.pem cannot be read \(ENOENT\)\.$/],
    [{ tlsCertificate: directory }, /TLS_CERTIFICATE\): \S+ cannot be read \(EISDIR\)\.$/],
    [{ tlsCertificate: FIRST.tlsKey }, /TLS_CERTIFICATE\): \S+first\.key does not have a certificate in PEM form\.$/],
    [{ tlsCertificate: text }, /TLS_CERTIFICATE\): \S+text\.pem does not have a certificate in PEM form\.$/],
  ];
  for (const [files, message] of faults) {
    assert.throws(() => readCertificate({ ...FIRST, ...files }), { code: 'invalid', message });
  }
});

test('expiryWarning: from two weeks before the end on', () => {
  const validTo = new Date('2026-12-31T00:00:00.000Z');
  const on = (date: string) => expiryWarning({ validTo }, Date.parse(date));
  assert.equal(on('2026-12-17T00:00:00.000Z'), null);
  assert.match(on('2026-12-17T00:00:01.000Z')!, /expires on 2026-12-31T/);
  assert.match(on('2026-12-31T00:00:01.000Z')!, /expired on 2026-12-31T/);
});
