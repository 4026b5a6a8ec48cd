// The part of html-to-text 10 that is used here; the package ships no types.
declare module 'html-to-text' {
  /** An element of htmlparser2's tree. */
  export interface Element {
    attribs: Record<string, string>;
    children: Element[];
  }
  export interface TextBuilder {
    addInline(text: string): void;
  }
  export type Formatter = (
    element: Element,
    walk: (elements: Element[], builder: TextBuilder) => void,
    builder: TextBuilder,
  ) => void;
  export type Selector = { selector: string; format?: string; options?: Record<string, unknown> };
  export type Options = {
    wordwrap?: number | false;
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number; ellipsis?: string };
    selectors?: Selector[];
    formatters?: Record<string, Formatter>;
  };
  export function compile(options?: Options): (html: string) => string;
}
