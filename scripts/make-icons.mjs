// Draws every icon in assets/icons from its two SVG sources. Run by hand after changing one of them: `node scripts/make-icons.mjs CHROMIUM`
// (path of a Chromium or Chrome). The results are committed, so that no build needs a browser.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const icons = resolve(import.meta.dirname, '..', 'assets', 'icons');
/** Up to this size the drawing with fewer teeth is used, because the full one would blur. */
const largestSmall = 48;
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
const pngs = new Map();
for (const size of sizes) pngs.set(size, await draw(size));
await browser.close();

rmSync(join(icons, 'linux'), { recursive: true, force: true });
mkdirSync(join(icons, 'linux'), { recursive: true });
for (const size of sizes.filter((size) => size <= 512)) {
  writeFileSync(join(icons, 'linux', `${size}x${size}.png`), pngs.get(size));
}
writeFileSync(join(icons, 'sealdesk.png'), pngs.get(256));
writeFileSync(join(icons, 'sealdesk.ico'), ico([16, 24, 32, 48, 64, 128, 256]));
writeFileSync(join(icons, 'sealdesk.icns'), icns());

async function draw(size) {
  const source = size <= largestSmall ? 'sealdesk-small.svg' : 'sealdesk.svg';
  const svg = readFileSync(join(icons, source)).toString('base64');
  await page.setViewportSize({ width: Math.max(size, 100), height: Math.max(size, 100) });
  await page.setContent(
    `<style>body{margin:0}img{display:block}</style><img width=${size} height=${size} src="data:image/svg+xml;base64,${svg}">`,
  );
  await page.waitForFunction(() => document.images[0].complete);
  const clip = { x: 0, y: 0, width: size, height: size };
  return page.screenshot({ omitBackground: true, clip });
}

/** Windows: a directory of 16 bytes a picture, then the PNGs one after another. 0 means 256. */
function ico(list) {
  const head = Buffer.alloc(6 + 16 * list.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(list.length, 4);
  let offset = head.length;
  list.forEach((size, index) => {
    const at = 6 + 16 * index;
    const { length } = pngs.get(size);
    head[at] = size % 256;
    head[at + 1] = size % 256;
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += length;
  });
  return Buffer.concat([head, ...list.map((size) => pngs.get(size))]);
}

/** macOS: chunks of type, length, PNG. The types with @2x share pictures with the plain ones of twice the size. */
function icns() {
  const types = [
    ['icp4', 16],
    ['icp5', 32],
    ['ic07', 128],
    ['ic08', 256],
    ['ic09', 512],
    ['ic10', 1024],
    ['ic11', 32],
    ['ic12', 64],
    ['ic13', 256],
    ['ic14', 512],
  ];
  const chunks = types.map(([type, size]) => chunk(type, pngs.get(size)));
  return chunk('icns', Buffer.concat(chunks));
}

function chunk(type, body) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}
