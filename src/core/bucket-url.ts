import { percentDecoded } from './base/shared/text.ts';

/** A place in S3 or in a server with its API. */
export interface BucketUrl {
  bucket: string;
  /** A key, or what keys begin with; without a slash at its beginning. */
  path: string;
  /** Null for AWS, or what AWS_ENDPOINT_URL names. */
  endpoint: string | null;
  /** Null for the region of the AWS variables and profiles. */
  region: string | null;
  /** The bucket is in the path of requests, not in their host name. */
  isPathStyle: boolean;
  /** Null for those of the AWS variables, profiles and roles. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1';

const OPTIONS = ['endpoint', 'region', 'pathStyle'];
/** Names that S3 allows for buckets, and older ones. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/;
/** Keys of S3 have at most 1,024 bytes; the rest is for the names below it. */
const MAX_PATH_BYTES = 800;

/**
 * The problem of a bucket URL; null if it has none. Never repeats the URL: it may hold a password.
 */
export function bucketUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 's3:') return `It must look like ${EXAMPLE}.`;
  const credentials = [url.username, url.password].map(percentDecoded);
  if (credentials.includes(null) || credentials.filter((part) => part === '').length === 1) {
    return 'Before @ it must have an access key and its secret, KEY:SECRET, with / as %2F and % as %25.';
  }
  if (!BUCKET.test(url.hostname) || url.port !== '') return 'It must begin with s3:// and the name of a bucket.';
  if (url.hash !== '') return 'It must have no #; write it as %23.';
  const path = percentDecoded(url.pathname);
  if (path === null) return 'In its path, % must be written as %25.';
  if (/\p{Cc}/u.test(path) || path.includes('//')) return 'Its path must have no control characters and no //.';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `Its path must have at most ${MAX_PATH_BYTES} bytes.`;
  return optionsProblem(url.searchParams);
}

/** Parses a text without problems. */
export function parseBucketUrl(text: string): BucketUrl {
  const url = new URL(text);
  const endpoint = url.searchParams.get('endpoint');
  const pathStyle = url.searchParams.get('pathStyle');
  return {
    bucket: url.hostname,
    path: percentDecoded(url.pathname)!.replace(/^\//, ''),
    endpoint,
    region: url.searchParams.get('region'),
    isPathStyle: pathStyle === null ? endpoint !== null : pathStyle === 'true',
    credentials:
      url.username === ''
        ? null
        : { accessKeyId: percentDecoded(url.username)!, secretAccessKey: percentDecoded(url.password)! },
  };
}

function optionsProblem(options: URLSearchParams): string | null {
  const names = [...options.keys()];
  if (names.some((name) => !OPTIONS.includes(name)) || new Set(names).size < names.length) {
    return `Its options are ${OPTIONS.join(', ')}; each may be given once.`;
  }
  const endpoint = options.get('endpoint');
  if (endpoint !== null && (!/^https?:\/\/[^/?#@]+\/?$/.test(endpoint) || URL.parse(endpoint) === null)) {
    return 'Its endpoint must look like https://s3.example.com, without path and credentials.';
  }
  if (options.has('region') && !/^[a-z0-9-]{1,64}$/.test(options.get('region')!)) {
    return 'Its region must look like eu-central-1.';
  }
  if (options.has('pathStyle') && !/^(true|false)$/.test(options.get('pathStyle')!)) {
    return 'Its pathStyle must be true or false.';
  }
  return null;
}
