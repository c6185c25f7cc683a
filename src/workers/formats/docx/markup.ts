import { attribute, type XmlTag } from '../../../text/xml.ts';

const PREFIXES: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w:',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w:',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm:',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm:',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc:',
  'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing': 'wp:',
  'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing': 'wp:',
  'http://schemas.openxmlformats.org/drawingml/2006/picture': 'pic:',
  'http://purl.oclc.org/ooxml/drawingml/picture': 'pic:',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a:',
  'http://purl.oclc.org/ooxml/drawingml/main': 'a:',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c:',
  'http://purl.oclc.org/ooxml/drawingml/chart': 'c:',
  'http://schemas.openxmlformats.org/drawingml/2006/diagram': 'dgm:',
  'http://purl.oclc.org/ooxml/drawingml/diagram': 'dgm:',
  'urn:schemas-microsoft-com:vml': 'v:',
  'urn:schemas-microsoft-com:office:office': 'o:',
};

/** With our prefix, such as `w:p`; `?` for other namespaces. */
export function nameOf(tag: XmlTag): string {
  const prefix = PREFIXES[tag.uri];
  return prefix === undefined ? '?' : prefix + tag.local;
}

export function valOf(tag: XmlTag): string | undefined {
  return attribute(tag, 'val');
}

/** A switch such as `w:checked`: on where nothing else is said. */
export function isOn(value: string | undefined): boolean {
  return !/^(?:0|off|false)$/.test(value ?? '1');
}

/** From 1; null for body text (9 in `w:outlineLvl`). */
export function levelOf(outline: string | undefined): number | null {
  const level = Number(outline);
  return Number.isInteger(level) && level >= 0 && level < 9 ? level + 1 : null;
}
