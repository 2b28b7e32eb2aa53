// A mast for one, two or three cameras, and brackets for the markers of a game board. In millimetres; the tube stands
// upright at the origin, a camera head looks along y and down.
//
// One part:    openscad -D 'part="foot"' -o foot.stl mast.scad
// The picture: openscad -D 'part="exploded"' --camera=70,-80,220,68,0,330,2800 --imgsize=1500,1200 --projection=o
//              --colorscheme=Tomorrow -o exploded.png mast.scad        (all on one line)

use <../../labels.scad>

part = "assembly"; // assembly, exploded, foot, head_oblique, head_steep, bracket

tube = 20;          // outer diameter; the heads fit 16 to 22, the foot is made to measure
board_thick = 3;    // of the game board
margin = 0;         // from the outermost spaces to the edge of the board; 0 if they reach it

// The camera reader expects 50 to 68 degrees over a board and 70 to 90 over the tray. Do not change these.
oblique = 59;
steep = 75;
marker = 24;
quiet = 4;          // white around a marker, and its distance from the corner of the board

head_width = 30;
block_front = 22;   // from the middle of the tube
block_high = 50;
plate_at = 16;      // start of the plate above the lower edge of the block
plate_long = 34;
plate_thick = 4;
cheek = 3;
camera_holes = [21, 12.5]; // of a Raspberry Pi Camera Module; M2
lens_at = 16;       // along the plate
foot_side = 110;
socket_high = 60;
arm = 45;

$fn = 32;

function along(tilt, s) = [block_front + s * sin(tilt), plate_at + s * cos(tilt)];
// Position of the lens: in front of the middle of the tube, and above the lower edge of the block.
function lens(tilt) = along(tilt, lens_at) + 10 * [cos(tilt), -sin(tilt)];

module upright(from, to) translate([from, 0, 0]) rotate([90, 0, 90]) linear_extrude(to - from) children();

// Tied to the tube with two cable ties. Print it on its side, cheek down.
module head(tilt) {
    half = head_width / 2;
    far = along(tilt, plate_long);
    behind = plate_thick * [-cos(tilt), sin(tilt)];
    difference() {
        union() {
            translate([-half, 6, 0]) cube([head_width, block_front - 6, block_high]);
            upright(-half, half) polygon([
                [block_front - 3, plate_at - 3], along(tilt, 0), far, far + behind, along(tilt, 0) + behind + [-4, 0],
            ]);
            upright(-half, -half + cheek) polygon([[block_front - 1, plate_at], far, far + behind, [block_front - 1, block_high]]);
        }
        translate([0, 0, -1]) linear_extrude(block_high + 2) rotate(45) // a 90-degree groove
            translate([-60, -60]) square(60 + tube / 2);
        for (z = [5, block_high - 10]) translate([-half - 1, block_front - 4.5, z]) cube([head_width + 2, 2, 5]);
        translate([0, block_front, plate_at]) rotate([-tilt, 0, 0]) { // z points along the plate, y out of its face
            for (x = [-1, 1] * camera_holes[0] / 2, s = [-1, 1] * camera_holes[1] / 2)
                translate([x, 10, lens_at + s]) rotate([90, 0, 0]) cylinder(d = 2.3, h = 16);
            translate([0, 10, lens_at]) rotate([90, 0, 0]) cylinder(d = 6.6, h = 16); // for the 1/4" screw of a USB camera
        }
    }
}

module printed_head(tilt) rotate([0, -90, 0]) translate([head_width / 2, 0, 0]) head(tilt);

// Screwed onto a wooden board; holds the tube.
module foot() {
    difference() {
        union() {
            translate([-foot_side / 2, -foot_side / 2, 0]) cube([foot_side, foot_side, 5]);
            cylinder(d1 = tube + 24, d2 = tube + 10, h = socket_high);
            translate([0, -9, 0]) cube([tube / 2 + 20, 18, socket_high]);
        }
        translate([0, 0, 3]) cylinder(d = tube + 0.4, h = socket_high);
        translate([0, -1.25, 8]) cube([tube, 2.5, socket_high]);
        translate([tube - 1, -1.25, 8]) cube([tube, 2.5, socket_high]);
        for (z = [25, 48]) translate([tube / 2 + 13, 20, z]) rotate([90, 0, 0]) cylinder(d = 4.4, h = 40); // M4
        for (x = [-1, 1], y = [-1, 1]) translate([x * 45, y * 45, 0]) {
            translate([0, 0, -1]) cylinder(d = 4.5, h = 7);
            translate([0, 0, 2.8]) cylinder(d1 = 4.5, d2 = 9, h = 2.3);
        }
    }
}

// Fits around a corner of the game board and holds a marker beside it, level with the board; all four are identical.
// The corner of the board is at the origin, the board in the quadrant of x and -y.
module bracket() {
    paper = marker + 2 * quiet;
    west = margin - paper;
    north = paper - margin;
    difference() {
        union() {
            translate([0, 0, 0]) cube([arm, 8, board_thick]);
            translate([-8, -arm, 0]) cube([8, arm + 1, board_thick]);
            translate([west - 2, 0, 0]) cube([-west + 2, north + 2, board_thick]);
            translate([west - 2, 0, 0]) cube([1.8, north + 2, board_thick + 0.8]); // the paper is aligned against these
            translate([west - 2, north + 0.2, 0]) cube([-west + 2, 1.8, board_thick + 0.8]);
        }
        translate([0.01, -0.01 - arm, -1]) cube([arm, arm, board_thick + 3]);
    }
}

// A game board, its markers and the tray, simplified for the pictures.
board = 280;
module table_top() {
    color("burlywood") translate([-board / 2, -board / 2, 0]) cube([board, board, board_thick]);
    for (turn = [0 : 3]) rotate(-90 * turn) translate([-board / 2, board / 2, 0]) {
        color("steelblue") bracket();
        color("black") translate([-quiet - marker, quiet, board_thick]) cube([marker, marker, 0.3]);
    }
}

// A mast with its lens at a given height, looking at the origin from a direction: 0 is south, 90 east.
module mast(high, from, apart = 0) {
    lens_from = high / tan(oblique) + lens(oblique)[0];
    rotate(from) translate([0, -lens_from, 0]) {
        color("tan") translate([-100, -125, -18 - apart]) cube([200, 180, 18]);
        color("dimgray") foot();
        color("silver") translate([0, 0, 4 + 2 * apart]) difference() {
            cylinder(d = tube, h = 600);
            translate([0, 0, -1]) cylinder(d = tube - 3, h = 602);
        }
        color("steelblue") translate([0, 1.5 * apart, high - lens(oblique)[1]]) head(oblique);
        color("seagreen") translate([0, block_front + 2.4 * apart, high - lens(oblique)[1] + plate_at])
            rotate([-oblique, 0, 0]) translate([-12.5, 4, 4]) cube([25, 1.2, 24]);
        rotate(-90) {
            color("orange") translate([0, 1.5 * apart, high - 160]) head(steep);
            color("seagreen") translate([0, block_front + 2.4 * apart, high - 160 + plate_at])
                rotate([-steep, 0, 0]) translate([-12.5, 4, 4]) cube([25, 1.2, 24]);
        }
    }
}

module assembly(apart = 0) {
    translate([0, 0, -18]) table_top();
    mast(540, 22, apart);
}

module exploded() {
    view = [68, 0, 330];
    assembly(22);
    label(view, [140, 200, -20], [150, 420, 40], "board of the game", 18);
    label(view, [-160, 160, -15], [-260, 120, 60], "6  brackets, markers", 18);
    label(view, [120, -390, -50], [60, -520, -60], "1  board of wood, 4 wood screws", 18);
    label(view, [150, -338, 40], [330, -330, 20], "2  foot, 2 screws M4 x 30", 18);
    label(view, [140, -338, 300], [330, -330, 300], "3  tube, 20 x 600 mm", 18);
    label(view, [100, -250, 560], [-200, -330, 600], "4  oblique head, over the board", 18);
    label(view, [180, -300, 385], [330, -330, 420], "5  steep head, over the tray", 18);
}

if (part == "foot") foot();
else if (part == "head_oblique") printed_head(oblique);
else if (part == "head_steep") printed_head(steep);
else if (part == "bracket") bracket();
else if (part == "exploded") exploded();
else assembly();
