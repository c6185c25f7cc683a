import { errors } from 'undici';
import { type CallPolicy, shownHost, TransportFault } from '../core/agents/connectors/call/transport.ts';
import { looksBlocked } from './guard.ts';

interface Progress {
  maybeSent: boolean;
  status: number | null;
}

const BROKEN: Record<string, string> = {
  UND_ERR_HEADERS_OVERFLOW: 'answered with more headers than are taken',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answered with more or less than it said that it would',
};

export class TransportFaults {
  private readonly url: URL;
  private readonly allowsNetworks: boolean;

  constructor(url: URL, { allowPrivateNetworks }: CallPolicy) {
    this.url = url;
    this.allowsNetworks = allowPrivateNetworks.length > 0;
  }

  private get host(): string {
    return shownHost(this.url);
  }

  refused(why: string): TransportFault {
    return new TransportFault('blocked', why, { maybeSent: false });
  }

  /** An invalid argument is a defect of ours and is returned unchanged. */
  of(error: unknown, progress: Progress): unknown {
    const code = codeOf(error);
    if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return error;
    const details = { ...progress, cause: error };
    if (looksBlocked(error, this.allowsNetworks)) {
      return new TransportFault('blocked', `${this.host} ${this.blockedWords()}`, details);
    }
    if (progress.maybeSent) return new TransportFault('broken', `${this.host} ${brokenWords(error)}.`, details);
    return new TransportFault('unreachable', `${this.host} could not be reached${inBrackets(code)}.`, details);
  }

  tooLarge(maxBytes: number, status: number): TransportFault {
    const message = `${this.host} answered with more than ${maxBytes} bytes (maxResponseBytes of the definition).`;
    return new TransportFault('too large', message, { maybeSent: true, status });
  }

  budgetExhausted(status: number): TransportFault {
    const message = `${this.host} answered with more than there is room for at the moment.`;
    return new TransportFault('too large', message, { maybeSent: true, status });
  }

  undecodable(coding: string, status: number, cause?: unknown): TransportFault {
    const shown = coding.replace(/[^\w ,.-]/g, '?').slice(0, 40);
    const message = `${this.host} answered with what could not be decompressed as "${shown}", which it says it is.`;
    return new TransportFault('undecodable', message, { maybeSent: true, status, cause });
  }

  private blockedWords(): string {
    return this.allowsNetworks
      ? 'is neither at a public address nor in a network that the definition allows (allowPrivateNetworks).'
      : 'is not known, or not at a public address; only the operator may allow others (allowPrivateNetworks of the definition).';
  }
}

function brokenWords(error: unknown): string {
  if (error instanceof errors.HTTPParserError) return 'answered what is no HTTP';
  return BROKEN[codeOf(error)] ?? 'broke the connection off before its answer had ended';
}

/** Codes are safe to show; the messages next to them name addresses. */
function inBrackets(code: string): string {
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return ' (ETIMEDOUT)';
  return code === '' || code.startsWith('UND_ERR') ? '' : ` (${code})`;
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
