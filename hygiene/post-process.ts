/** The text without what can be taken away safely: white space at the ends of lines. */
export function postProcess(text: string): string {
  return text.replace(/[ \t]+$/gmu, "");
}
