const MAX_NAME = 200;

/** Bedrock allows few characters, no extension and no duplicates. */
export class DocumentNames {
  private readonly used = new Set<string>();

  nameOf(filename: string): string {
    const plain = filename
      .replace(/\.[^.]*$/, '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-zA-Z0-9\s()[\]-]+/g, '-')
      .replace(/\s+/g, ' ')
      .slice(0, MAX_NAME)
      .trim();
    const name = this.free(/[a-zA-Z0-9]/.test(plain) ? plain : 'document');
    this.used.add(name);
    return name;
  }

  private free(name: string): string {
    if (!this.used.has(name)) return name;
    for (let number = 2; ; number++) {
      const suffix = ` (${number})`;
      const other = name.slice(0, MAX_NAME - suffix.length) + suffix;
      if (!this.used.has(other)) return other;
    }
  }
}
