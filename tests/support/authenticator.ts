import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const UP = 0x01;
const UV = 0x04;
const AT = 0x40;

interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
}

interface AnswerOptions {
  origin: string;
  /** As the browser would know it. */
  rpId?: string;
  counter?: number;
  verifiesUser?: boolean;
}

/** An authenticator in software, with one passkey: what a browser answers, without a browser. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  private readonly privateKey: KeyObject;
  private readonly publicKey: { x: Buffer; y: Buffer };
  private userHandle = '';

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    this.publicKey = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** The answer of `navigator.credentials.create`. */
  create({ challenge, rp, user }: Options & { user: { id: string } }, { origin, rpId, counter = 0 }: AnswerOptions) {
    this.userHandle = user.id;
    const { x, y } = this.publicKey;
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([0, id.length]);
    const authData = Buffer.concat([
      head(rpId ?? rp?.id ?? '', UP | UV | AT, counter),
      ...[Buffer.alloc(16), length, id, Buffer.from(cose)],
    ]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', bytes(authData)],
      ]) as never,
    );
    const response = {
      clientDataJSON: clientData('webauthn.create', challenge, origin),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal'],
    };
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  /** The answer of `navigator.credentials.get`. */
  get(
    { challenge, rpId: asked = '' }: Options,
    { origin, rpId = asked, counter = 0, verifiesUser = true }: AnswerOptions,
  ) {
    const authenticatorData = head(rpId, verifiesUser ? UP | UV : UP, counter);
    const clientDataJSON = clientData('webauthn.get', challenge, origin);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, hash]))
      .sign(this.privateKey);
    const response = {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(this.userHandle === '' ? {} : { userHandle: this.userHandle }),
    };
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

function head(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
}

function bytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer);
}
