import { answerOf, client } from '../../api/client.ts';
import { CARDS } from '../../api/dashboards.ts';
import { messageOf } from '../../api/errors.ts';
import { announce } from '../../ui/toast.tsx';
import type { PageRange } from './page-range.ts';
import { fileNameOf } from './state.ts';

const TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;
type Kind = keyof typeof TYPES;

interface Pictured {
  id: string;
  title: string;
}

/** Copies the card as a PNG to the clipboard; downloads it if the browser refuses. */
export async function copyPicture(card: Pictured, range: PageRange): Promise<void> {
  const picture = pictureOf(card, range, 'png');
  try {
    // A promise, because Safari allows the call only while it handles the click.
    await navigator.clipboard.write([new ClipboardItem({ [TYPES.png]: picture })]);
    announce('Picture copied');
  } catch {
    await save(card, 'png', picture, 'The browser does not allow copying pictures here, so it was downloaded.');
  }
}

export function downloadPicture(card: Pictured, range: PageRange, kind: Kind): Promise<void> {
  return save(card, kind, pictureOf(card, range, kind), 'Picture downloaded');
}

async function save({ title }: Pictured, kind: Kind, picture: Promise<Blob>, said: string): Promise<void> {
  try {
    const url = URL.createObjectURL(await picture);
    const link = document.createElement('a');
    link.href = url;
    link.download = fileNameOf(title, kind);
    link.click();
    URL.revokeObjectURL(url);
    announce(said);
  } catch (error) {
    announce(`The picture could not be made. ${messageOf(error)}`);
  }
}

function pictureOf({ id }: Pictured, range: PageRange, kind: Kind): Promise<Blob> {
  const query = { ...range, width: 800, height: 450, scale: 2, theme: themeNow(), locale: navigator.language };
  const headers = { accept: TYPES[kind] };
  return answerOf(client.GET(`${CARDS}/{id}/render`, { params: { path: { id }, query }, headers, parseAs: 'blob' }));
}

function themeNow(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
