/** Has the browser save a text or a picture; an address is that of a file which the server sends. */
export function download(name: string, content: Blob | string): void {
  const url = typeof content === 'string' ? content : URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may not have begun yet.
  if (typeof content !== 'string') setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
