// The instrumented tray: all printed parts. In millimetres; seen from the south, x points east, y north, z up; the
// origin is on the table, below the middle of the tray.
//
// One part:    openscad -D 'part="base"' -o base.stl tray.scad
// All parts assembled: open this file.
// The picture: openscad -D 'part="exploded"' --camera=-40,0,85,62,0,20,1300 --imgsize=1500,1250 --projection=o
//              --colorscheme=Tomorrow -o exploded.png tray.scad        (all on one line)
//
// Measure your load cell and your tower first; change only the values of the first two blocks.

use <../../labels.scad>

part = "assembly"; // assembly, exploded, base, spacer, platform, tray, marker_post, gate, electronics

// The load cell: a bending beam with two tapped holes at each end.
cell_length = 80;
cell_side = 12.7;
cell_hole_1 = 5;   // from an end to its first hole
cell_hole_2 = 20;  // from the same end to its second hole
fixed_screw = 5;   // M5 at the fixed end
free_screw = 4;    // M4 at the free end

// The mouth of the tower: the width and height of the opening.
mouth_width = 64;
mouth_height = 24;

// Fixed by the camera reader: the inside of the tray and the positions of its markers. Do not change these.
field_x = 180;
field_y = 140;
marker = 24;
marker_gap = 12;

wall = 2;          // of the tray
wall_height = 22;
floor_thick = 2;
plate = 5;         // thickness of base and platform
arm = 20;
foot = 4;          // of a marker post, under the base
pad = 4;           // under the fixed end
gap = 3;           // height of the spacer on the free end
lip = 2;
lip_height = 3;
play = 0.4;        // clearance between a part and its holder
quiet = 4;         // white around a marker
stop_room = 6;     // for the head of a stop screw and its travel

cell_z = foot + plate + pad;
platform_z = cell_z + cell_side + gap;
floor_z = platform_z + plate + floor_thick;
stop_key = 3.4;    // hole for the hex key above a screw head, smaller than the head
corner = 25;       // from the middle of a marker to the screw of its post, along x and along y
marker_x = field_x / 2 + marker_gap + marker / 2;
marker_y = field_y / 2 + marker_gap + marker / 2;
stop_x = 58;
stop_y = 45;
// Outer size of the tray: walls on the west, east and south sides, open to the north.
out_x = field_x / 2 + wall;
out_south = -field_y / 2 - wall;
out_north = field_y / 2;

$fn = 24;

function end_x(side, hole) = side * (cell_length / 2 - hole);

module at_corners(x, y) {
    for (sx = [-1, 1], sy = [-1, 1]) translate([sx * x, sy * y, 0]) children();
}

module cross(x, y, thick) {
    for (side = [-1, 1]) hull() {
        translate([x, side * y, 0]) cylinder(d = arm, h = thick);
        translate([-x, -side * y, 0]) cylinder(d = arm, h = thick);
    }
}

module countersunk(d, thick) { // for a screw whose head is flush with the top of a plate of this thickness
    translate([0, 0, -1]) cylinder(d = d + 0.5, h = thick + 2);
    translate([0, 0, thick - d / 2]) cylinder(d1 = d + 0.5, d2 = 2 * d + 0.6, h = d / 2 + 0.01);
}

// Holds the fixed end of the cell and the four stop screws; stands on the feet of the marker posts.
module base() {
    difference() {
        union() {
            cross(marker_x - corner, marker_y - corner, plate);
            translate([-cell_length / 2 - 4, -cell_side / 2 - 4, 0]) cube([cell_length + 8, cell_side + 8, plate]);
            translate([-cell_length / 2, -cell_side / 2, 0]) cube([cell_hole_2 + 6, cell_side, plate + pad]);
            at_corners(stop_x, stop_y) cylinder(d = 10, h = platform_z - foot - stop_room);
        }
        for (hole = [cell_hole_1, cell_hole_2]) translate([end_x(-1, hole), 0, 0]) {
            translate([0, 0, -1]) cylinder(d = fixed_screw + 0.5, h = plate + pad + 2);
            translate([0, 0, -0.01]) cylinder(d1 = 2 * fixed_screw + 0.6, d2 = fixed_screw + 0.5, h = fixed_screw / 2);
        }
        at_corners(stop_x, stop_y) translate([0, 0, platform_z - foot - stop_room - 12]) cylinder(d = 2.7, h = 20);
        at_corners(marker_x - corner, marker_y - corner) translate([0, 0, -1]) cylinder(d = 3.4, h = plate + 2);
    }
}

// Between the free end and the platform, so that the platform does not touch the rest of the cell.
module spacer() {
    difference() {
        translate([cell_length / 2 - cell_hole_2 - 6, -cell_side / 2, 0]) cube([cell_hole_2 + 6, cell_side, gap]);
        for (hole = [cell_hole_1, cell_hole_2])
            translate([end_x(1, hole), 0, -1]) cylinder(d = free_screw + 0.5, h = gap + 2);
    }
}

// Bolted to the free end; the tray lies on it between the lips.
module platform() {
    x = out_x + play + lip;
    south = out_south - play - lip;
    north = out_north + play + lip;
    corner_side = 18;
    module corners(height) {
        for (side = [-1, 1], y = [south, north - corner_side])
            translate([side * x - (side + 1) / 2 * corner_side, y, 0]) cube([corner_side, corner_side, height]);
    }
    difference() {
        union() {
            cross(out_x - arm / 2, field_y / 2 - arm / 2, plate);
            translate([0, -cell_side, 0]) cube([cell_length / 2 + 4, 2 * cell_side, plate]);
            difference() {
                corners(plate + lip_height);
                translate([-x + lip, south + lip, plate])
                    cube([2 * (x - lip), north - south - 2 * lip, lip_height + 1]);
            }
        }
        for (hole = [cell_hole_1, cell_hole_2]) translate([end_x(1, hole), 0, 0]) countersunk(free_screw, plate);
        at_corners(stop_x, stop_y) translate([0, 0, -1]) cylinder(d = stop_key, h = plate + 2);
    }
}

// The pieces fall into this. The camera sees them against its floor: print it in a colour that no piece has.
module tray() {
    difference() {
        translate([-out_x, out_south, 0]) cube([2 * out_x, out_north - out_south, floor_thick + wall_height]);
        translate([-field_x / 2, -field_y / 2, floor_thick]) cube([field_x, field_y + 1, wall_height + 1]);
    }
}

// A shelf for one marker, level with the floor of the tray; all four are identical. Its middle is at the origin.
module marker_post() {
    side = marker + 2 * quiet;
    difference() {
        union() {
            hull() {
                cylinder(d = arm, h = foot);
                translate([-corner, -corner, 0]) cylinder(d = arm, h = foot);
            }
            cylinder(d = 12, h = floor_z - 2);
            hull() {
                translate([0, 0, floor_z - 2 - 22]) cylinder(d = 12, h = 1); // no overhang flatter than 45 degrees
                translate([-side / 2, -side / 2, floor_z - 2]) cube([side, side, 2]);
            }
        }
        translate([-corner, -corner, -1]) cylinder(d = 3.4, h = foot + 2);
        translate([-corner, -corner, -0.01]) cylinder(d1 = 6.6, d2 = 3.4, h = 1.6);
    }
}

// A short channel between the mouth of the tower and the tray, crossed by two light beams one behind the other.
module gate() {
    cheek = 10;
    long = 30;
    bed = 2;
    beam = 5.2; // for the diode, behind a 3 mm hole
    difference() {
        translate([-mouth_width / 2 - cheek, 0, 0]) cube([mouth_width + 2 * cheek, long, bed + mouth_height]);
        translate([-mouth_width / 2, -1, bed]) cube([mouth_width, long + 2, mouth_height + 1]);
        for (y = [9, 21]) translate([0, y, bed + 5]) rotate([0, 90, 0]) {
            translate([0, 0, -mouth_width / 2 - cheek - 1]) cylinder(d = 3, h = mouth_width + 2 * cheek + 2);
            for (side = [0, 1]) mirror([0, 0, side])
                translate([0, 0, mouth_width / 2 + 3]) cylinder(d = beam, h = cheek);
        }
    }
}

// Holds the Pico (M2 screws) and the amplifier board (cable ties).
module electronics() {
    difference() {
        union() {
            cube([92, 34, 3]);
            for (x = [7, 54], y = [11.3, 22.7]) translate([x, y, 0]) cylinder(d = 5, h = 7);
            translate([62, 4, 0]) cube([26, 26, 5]);
        }
        for (x = [7, 54], y = [11.3, 22.7]) translate([x, y, 2]) cylinder(d = 1.7, h = 6);
        for (x = [66, 80], y = [-1, 27]) translate([x, y, -1]) cube([4, 8, 7]);
        for (x = [4, 58]) for (y = [4, 30]) translate([x, y, -1]) cylinder(d = 3.4, h = 5);
    }
}

// All parts together. `apart` lifts each part above the one below it and moves the posts outward.
module assembly(apart = 0) {
    color("gray") translate([0, 0, foot]) base();
    translate([0, 0, cell_z + apart]) {
        color("silver") translate([-cell_length / 2, -cell_side / 2, 0]) cube([cell_length, cell_side, cell_side]);
        color("orange") translate([0, 0, cell_side + apart / 2]) spacer();
    }
    color("steelblue") translate([0, 0, platform_z + 2.2 * apart]) platform();
    color("lightblue") translate([0, 0, platform_z + plate + 3.2 * apart]) tray();
    for (turn = [0, 1]) rotate([0, 0, 180 * turn]) {
        color("white") translate([marker_x + apart / 2, marker_y + apart / 2, -apart / 2]) marker_post();
        color("white") translate([marker_x + apart / 2, -marker_y - apart / 2, -apart / 2]) rotate([0, 0, -90]) marker_post();
    }
    if (apart > 0) color("black") at_corners(stop_x, stop_y) translate([0, 0, platform_z + 0.4 * apart]) cylinder(d = 5, h = 10);
    color("dimgray") translate([0, out_north + 4 + 2 * apart, floor_z]) gate();
    color("seagreen") translate([140, -17, 0]) electronics();
}

module exploded() {
    view = [62, 0, 20];
    assembly(48);
    label(view, [0, -5, 6], [-20, -190, 0], "base", 7);
    label(view, [-38, -6, 68], [-170, -60, 60], "1  cell, 2 screws M5 x 16 from below", 7);
    label(view, [36, -6, 108], [150, -70, 105], "2  spacer", 7);
    label(view, [80, -70, 145], [170, -110, 150], "2  platform, 2 screws M4 x 16", 7);
    label(view, [-130, -120, 0], [-190, -150, 0], "3  marker posts, screws M3 x 12", 7);
    label(view, [-58, -45, 58], [-170, -80, 20], "4  overload stops, 4 screws M3 x 10", 7);
    label(view, [-80, 20, 215], [-130, 40, 235], "5  tray, laid on", 7);
    label(view, [30, 180, 60], [110, 220, 75], "6  gate", 7);
    label(view, [200, 0, 3], [210, 70, 20], "7  electronics", 7);
}

if (part == "base") base();
else if (part == "spacer") spacer();
else if (part == "platform") platform();
else if (part == "tray") tray();
else if (part == "marker_post") marker_post();
else if (part == "gate") gate();
else if (part == "electronics") electronics();
else if (part == "exploded") exploded();
else assembly();
