// `npm run bundle`: dist/ as the image and the tests start it.

import { buildBundleIfStale } from './build.ts';

const built = await buildBundleIfStale((line) => console.log(line));
console.log(built ? 'dist is built' : 'dist is up to date');
