type Environment = Record<string, string | undefined>;

export function cacheDirectory(environment?: Environment): string | null;
export function makePrivateDirectory(path: string): string;
