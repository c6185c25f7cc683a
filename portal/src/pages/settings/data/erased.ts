interface ErasedWorkspace {
  name: string;
  words: string;
}

let last: ErasedWorkspace | null = null;

/** For the page that follows: nothing of it is on the server any more. */
export function rememberErased(erased: ErasedWorkspace): void {
  last = erased;
}

export function lastErased(): ErasedWorkspace | null {
  return last;
}
