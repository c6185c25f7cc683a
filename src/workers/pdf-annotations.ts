import { withoutHtml } from '../core/knowledge/html.ts';

/** Exports of PDFium: numbers in and out. */
export type Calls = Record<string, (...values: number[]) => number>;

interface Memory {
  calls: Calls;
  /** The views change when the memory grows. */
  bytes(): Uint8Array;
}

/**
 * Text written upon pages: values of forms and comments. There is one instance for each document.
 */
export class PdfAnnotations {
  readonly #memory: Memory;
  readonly #document: number;
  #info = 0;
  #form = 0;

  constructor(memory: Memory, document: number) {
    this.#memory = memory;
    this.#document = document;
  }

  /** Lines for a page, each once. `drawn`: some show text that only their appearance has. */
  linesOf(page: number): { lines: string[]; drawn: number[] } {
    const { calls } = this.#memory;
    const count = Math.min(calls.FPDFPage_GetAnnotCount!(page), MAX_ANNOTATIONS);
    const lines = new Set<string>();
    const drawn: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const annotation = calls.FPDFPage_GetAnnot!(page, index);
      if (annotation === 0) continue;
      const line = this.#lineOf(annotation, drawn, index);
      if (line !== '') lines.add(line);
      calls.FPDFPage_CloseAnnot!(annotation);
    }
    return { lines: [...lines], drawn };
  }

  /** Draws these alone into the page, whose text must be loaded again. */
  draw(page: number, drawn: number[]): void {
    const { calls } = this.#memory;
    for (let index = calls.FPDFPage_GetAnnotCount!(page) - 1; index >= 0; index -= 1) {
      if (!drawn.includes(index)) calls.FPDFPage_RemoveAnnot!(page, index);
    }
    calls.FPDFPage_Flatten!(page, 0);
  }

  /** Names of attached files. */
  attachments(): string[] {
    const { calls } = this.#memory;
    const count = Math.min(calls.FPDFDoc_GetAttachmentCount!(this.#document), MAX_ATTACHMENTS);
    return Array.from({ length: count }, (_, index) => {
      const file = calls.FPDFDoc_GetAttachment!(this.#document, index);
      return this.#text((at, length) => calls.FPDFAttachment_GetName!(file, at, length)) || `file ${index + 1}`;
    });
  }

  /** Its fields are a program of their own, beside the pages. */
  isDynamicForm(): boolean {
    return this.#memory.calls.FPDF_GetFormType!(this.#document) === DYNAMIC_FORM;
  }

  /** Before the document is closed. */
  close(): void {
    const { calls } = this.#memory;
    if (this.#form !== 0) calls.FPDFDOC_ExitFormFillEnvironment!(this.#form);
    if (this.#info !== 0) calls.free!(this.#info);
  }

  #lineOf(annotation: number, drawn: number[], index: number): string {
    const { calls } = this.#memory;
    if ((calls.FPDFAnnot_GetFlags!(annotation) & HIDDEN) !== 0) return '';
    const kind = calls.FPDFAnnot_GetSubtype!(annotation);
    if (kind === WIDGET) return this.#fieldOf(annotation, drawn, index);
    if (SILENT.has(kind) || this.#string(annotation, 'StateModel') !== '') return '';
    const contents = this.#string(annotation, 'Contents') || withoutHtml(this.#string(annotation, 'RC')).trim();
    if (contents === '') {
      if (kind === FREE_TEXT || kind === STAMP) drawn.push(index);
      return '';
    }
    if (kind === FREE_TEXT) return contents;
    const author = this.#string(annotation, 'T');
    return `${kind === STAMP ? 'Stamp' : 'Comment'}${author === '' ? '' : ` by ${author}`}: ${contents}`;
  }

  #fieldOf(annotation: number, drawn: number[], index: number): string {
    const { calls } = this.#memory;
    const form = this.#formHandle();
    const ofField = (name: string) => this.#text((at, length) => calls[name]!(form, annotation, at, length));
    const kind = calls.FPDFAnnot_GetFormFieldType!(form, annotation);
    const label = labelOf(
      ofField('FPDFAnnot_GetFormFieldAlternateName') ||
        ofField('FPDFAnnot_GetFormFieldName') ||
        this.#string(annotation, 'TU') ||
        this.#string(annotation, 'T'),
    );
    const value = (kind < 0 ? '' : ofField('FPDFAnnot_GetFormFieldValue')) || this.#string(annotation, 'V');
    const named = (value: string) => (value === '' ? '' : `${label}${label === '' ? '' : ': '}${value}`);
    const chosen = kind === CHECKBOX || kind === RADIO ? this.#stateOf(annotation, value) : '';
    switch (kind) {
      case CHECKBOX:
        return named(chosen === '' ? '☐' : `☒ ${chosen}`);
      case RADIO:
        return named(chosen);
      case COMBO:
      case LIST:
        return named(this.#optionsOf(form, annotation) || value);
      case TEXT: {
        const isPassword = (calls.FPDFAnnot_GetFormFieldFlags!(form, annotation) & PASSWORD) !== 0;
        return isPassword ? '' : named(value);
      }
      case SIGNATURE:
        drawn.push(index);
        return '';
      case BUTTON:
        return '';
      default:
        // The document does not list it among its fields.
        return named(value === 'Off' ? '' : value);
    }
  }

  /**
   * The state of a box, empty if it is not chosen; a number stands for the words of the field's
   * value.
   */
  #stateOf(annotation: number, value: string): string {
    const state = this.#string(annotation, 'AS') || value;
    const hasWords = value !== '' && value !== 'Off';
    return state === 'Off' ? '' : /^\d+$/.test(state) && hasWords ? value : state;
  }

  /** Options as they are shown, not as they are stored. */
  #optionsOf(form: number, annotation: number): string {
    const { calls } = this.#memory;
    const options = Math.min(calls.FPDFAnnot_GetOptionCount!(form, annotation), MAX_OPTIONS);
    return Array.from({ length: Math.max(options, 0) }, (_, option) => option)
      .filter((option) => calls.FPDFAnnot_IsOptionSelected!(form, annotation, option))
      .map((option) =>
        this.#text((at, length) => calls.FPDFAnnot_GetOptionLabel!(form, annotation, option, at, length)),
      )
      .join(', ');
  }

  #formHandle(): number {
    if (this.#form !== 0) return this.#form;
    const { calls, bytes } = this.#memory;
    this.#info = calls.malloc!(FORM_INFO_BYTES);
    if (this.#info === 0) return 0;
    bytes().fill(0, this.#info, this.#info + FORM_INFO_BYTES);
    bytes()[this.#info] = FORM_INFO_VERSION;
    this.#form = calls.FPDFDOC_InitFormFillEnvironment!(this.#document, this.#info);
    return this.#form;
  }

  #string(annotation: number, key: string): string {
    const { calls, bytes } = this.#memory;
    const name = Buffer.from(`${key}\0`, 'latin1');
    const place = calls.malloc!(name.length);
    if (place === 0) return '';
    bytes().set(name, place);
    const text = this.#text((at, length) => calls.FPDFAnnot_GetStringValue!(annotation, place, at, length));
    calls.free!(place);
    return text;
  }

  /** UTF-16 with its end, by functions that tell the number of bytes. */
  #text(read: (at: number, length: number) => number): string {
    const { calls, bytes } = this.#memory;
    const length = read(0, 0);
    if (length <= END_BYTES) return '';
    const at = calls.malloc!(length);
    if (at === 0) return '';
    read(at, length);
    const text = Buffer.from(bytes().buffer, at, length - END_BYTES).toString('utf16le');
    calls.free!(at);
    return text.replace(/\r\n?/g, '\n').trim();
  }
}

const MAX_ANNOTATIONS = 10_000;
const MAX_ATTACHMENTS = 100;
const MAX_OPTIONS = 10_000;
const END_BYTES = 2;
const FORM_INFO_BYTES = 256;
const FORM_INFO_VERSION = 2;

/** A flag of annotations. */
const HIDDEN = 1 << 1;
/** A flag of fields. */
const PASSWORD = 1 << 13;
const DYNAMIC_FORM = 2;

const FREE_TEXT = 3;
const STAMP = 13;
const WIDGET = 20;
/** Links, and windows that show the text of another annotation. */
const SILENT = new Set([2, 16]);

const BUTTON = 1;
const CHECKBOX = 2;
const RADIO = 3;
const COMBO = 4;
const LIST = 5;
const TEXT = 6;
const SIGNATURE = 7;

/** Names of generated forms, such as `form[0].Page1[0].Name[0]`, in their last part. */
function labelOf(name: string): string {
  return name.includes('[') ? name.slice(name.lastIndexOf('.') + 1).replace(/\[\d+\]/g, '') : name;
}
