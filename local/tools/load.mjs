// Copied beside the installed tools, so that their packages are found from there (local/tools/tools.ts).
export const load = (name) => import(name);
