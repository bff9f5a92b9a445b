// The runner that hosts are held against: plays one case, instead of running a program.
// Arguments: the title of the case, and the file for what is heard.
import { hostCases } from './all-cases.mjs';
import { Peer } from './peer.mjs';

const [title, transcript = ''] = process.argv.slice(2);
const played = hostCases.find(({ section, name }) => `${section}: ${name}` === title);
if (played === undefined) throw new Error(`there is no case '${title}'`);
await played.play(new Peer(transcript));
process.exit(0);
