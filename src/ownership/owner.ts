import type { RequestListener } from 'node:http';

/** Below it, the owner answers operations; on the directory's socket alone. */
export const OPERATIONS_PATH = '/-/operations/';

/** What an owner has open. */
export interface OwnedServer {
  listener: RequestListener;
  /** Answers below OPERATIONS_PATH, on the directory's socket alone. */
  operations?: RequestListener;
  /** Says to those whose requests are still answered that it is over: their connections are closed next. */
  breakOff?(): void;
  close(): Promise<void>;
}

/** What an owner says of itself at `/-/owner`. */
export interface OwnerInfo {
  command: string;
  pid: number;
  /** Where it serves, if it does. */
  url?: string | undefined;
  /** It ends soon: whoever wants the directory may wait for it. */
  stopping?: boolean | undefined;
  /** Whether it lets go when asked. */
  yields?: boolean | undefined;
}
