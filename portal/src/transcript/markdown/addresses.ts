/** Images that the CSP of the portal allows. SVG is not among them: it is a document. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/;
const MAX_SHOWN_ADDRESS = 120;

/** The address that a link leads to: http, https or mailto; null for any other, and for one with a password in it. */
export function linkAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  if (username !== '' || password !== '') return null;
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : null;
}

/** True if the address is that of an image which needs no request. */
export function isPicture(address: string): boolean {
  return PICTURE.test(address);
}

/** An address to read: its first characters, if it is long. */
export function shownAddress(address: string): string {
  const text = address.replace(/^mailto:/, '');
  return (text.length <= MAX_SHOWN_ADDRESS ? text : `${text.slice(0, MAX_SHOWN_ADDRESS)}…`).toWellFormed();
}
