import { RuntimeError } from '../../../core/base/shared/errors.ts';

/** Where a request went, in the operator's words. */
export interface S3Request {
  bucket: string;
  /** The host, or AWS. */
  server: string;
  /** The permission that it needs, `s3:PutObject` for example. */
  permission: string;
}

const UPLOADS_SETTING = 'AGENT_RUNTIME_UPLOADS_URL';
const RETRY_AFTER = 30;

/** For the operator. What clients are told names no bucket. */
export class BucketFault extends RuntimeError {
  /** Only another setting, credential or permission helps. */
  readonly isSetting: boolean;
  /** The bucket's code, `NoSuchBucket` for example. */
  readonly reason: string;

  constructor(message: string, { isSetting, reason, cause }: { isSetting: boolean; reason: string; cause?: unknown }) {
    super('unavailable', message, { cause, retryAfter: RETRY_AFTER });
    this.isSetting = isSetting;
    this.reason = reason;
  }
}

interface SdkError extends Error {
  code?: string;
  Code?: string;
  $metadata?: { httpStatusCode?: number; requestId?: string };
}

const CREDENTIALS =
  'Give it in the URL, s3://KEY:SECRET@bucket, or give this process a variable, profile or role of AWS';

/** Remedies by the code of S3; the rest is by status. */
const REMEDIES: Record<string, (asked: S3Request) => string> = {
  NoSuchBucket: ({ bucket, server }) =>
    `there is no bucket ${JSON.stringify(bucket)} at ${server}. Create it, or correct its name`,
  InvalidBucketName: ({ bucket, server }) =>
    `${server} does not accept ${JSON.stringify(bucket)} as the name of a bucket. Correct it`,
  PermanentRedirect: ({ bucket }) => `the bucket ${JSON.stringify(bucket)} is in another region. Name it with ?region=`,
  AuthorizationHeaderMalformed: ({ bucket }) =>
    `the bucket ${JSON.stringify(bucket)} is in another region. Name it with ?region=`,
  InvalidAccessKeyId: ({ server }) => `${server} does not know the access key. ${CREDENTIALS}`,
  SignatureDoesNotMatch: ({ server }) => `${server} does not accept the secret of the access key. ${CREDENTIALS}`,
  CredentialsProviderError: () => `there are no credentials. ${CREDENTIALS}`,
  ExpiredToken: () => 'the credentials have expired. Renew them',
  InvalidToken: ({ server }) => `${server} does not accept the session token of the credentials. Renew them`,
  AccessDenied: ({ permission, bucket }) =>
    `the credentials lack the permission ${permission} for ${JSON.stringify(bucket)}. Add it to their policy`,
  RequestTimeTooSkewed: ({ server }) => `the clocks of this machine and of ${server} differ. Set this one`,
};

const BY_STATUS: Record<number, string> = { 301: 'PermanentRedirect', 403: 'AccessDenied' };
const FULL = new Set(['XMinioStorageFull', 'QuotaExceeded', 'InsufficientStorage', 'InsufficientCapacity']);

/**
 * Another error than the SDK's is returned as it is. The cause holds names and numbers only:
 * errors of the SDK carry access keys and signatures.
 */
export function bucketFault(error: unknown, asked: S3Request): unknown {
  if (!(error instanceof Error) || error instanceof RuntimeError) return error;
  const { name, $metadata, message } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  const code = codeOf(error as SdkError);
  if (/^Region is missing/.test(message)) {
    return fault('the region is missing. Name it with ?region=, or set AWS_REGION', 'NoRegion', error);
  }
  const reason = REMEDIES[code] ? code : (BY_STATUS[status ?? 0] ?? code);
  const remedy = REMEDIES[reason];
  if (remedy) return fault(remedy(asked), reason, error);
  if (status === undefined && !isOfConnection(error as SdkError)) return error;
  const what = FULL.has(code) || status === 507 ? 'has no room' : `does not answer as it should (${code})`;
  return new BucketFault(`${UPLOADS_SETTING}: ${asked.server} ${what}. Try again.`, {
    isSetting: false,
    reason: code,
    cause: harmless(name, error as SdkError),
  });
}

/** A missing object, upload or configuration; never a missing bucket. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    ['NoSuchKey', 'NoSuchUpload', 'NoSuchLifecycleConfiguration', 'NotFound'].includes(codeOf(error as SdkError))
  );
}

function fault(remedy: string, reason: string, error: Error): BucketFault {
  return new BucketFault(`${UPLOADS_SETTING}: ${remedy}.`, {
    isSetting: true,
    reason,
    cause: harmless(error.name, error),
  });
}

/** HEAD requests have no body, so the SDK knows their status alone. */
function codeOf({ name, code, Code, $metadata }: SdkError): string {
  const named = Code ?? code ?? name;
  const status = $metadata?.httpStatusCode;
  return /^(UnknownError|Unknown|Error)$/.test(named) && status !== undefined ? String(status) : named;
}

function isOfConnection({ code, name }: SdkError): boolean {
  return /^(E[A-Z]{3,}|UND_ERR_|ERR_|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(code ?? '') || name === 'TimeoutError';
}

function harmless(name: string, error: SdkError): Error {
  const { httpStatusCode: status, requestId } = error.$metadata ?? {};
  const parts = [error.code, status && `status ${status}`, requestId && `request ${requestId}`].filter(Boolean);
  return new Error(`${name}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`);
}
