// The box: a desk-shaped case for Pi, display, knob and keys. In millimetres; people sit at the south side; x points
// east, y north, z up; the origin is on the table, at the middle of the front edge.
//
// One part:     openscad -D 'part="case"' -o case.stl box.scad
// The pictures: openscad -D 'part="exploded"' --camera=0,50,95,62,0,28,900 --imgsize=1500,1150 --projection=o
//              --colorscheme=Tomorrow -o exploded.png box.scad        (all on one line); "lid_exploded" likewise,
//              with --camera=0,60,20,50,0,200,760
//
// Measure your display, knob and keys first; change only the values of the first block.

use <../../labels.scad>

part = "assembly"; // assembly, exploded, lid_exploded, case, lid

// The display: its board, the holes in the board, the lit area, and the height of the glass above the board.
oled_board = [72.5, 43.5];
oled_holes = [67.5, 38.5];
oled_window = [57, 30];
oled_window_up = 1; // middle of the window above the middle of the board
oled_glass = 2.6;
encoder_hole = 7.2;
encoder_lug = 6; // from the middle of the shaft to the lug that stops the encoder from turning; 0 for none
key_hole = 12.3;
led_hole = 5.2;

wall = 2.4;
floor_thick = 2.4;
lid_thick = 3;
width = 170;
depth = 112;
front = 32; // height of the front
tilt = 18;  // of the lid, in degrees
play = 0.4;
boss = 12;  // for a lid screw
stand = 5;  // height of the posts under the Pi
screw = 2.7; // hole for a self-tapping M3 screw

back = front + depth * tan(tilt);
slope = depth / cos(tilt);
// The Pi lies with its power socket to the north and its USB sockets to the west. This is the position of its corner
// near pin 1, the card and the power socket.
pi_x = -width / 2 + wall + 1.5 + 85;
pi_y = depth - wall - 1;
board_top = floor_thick + stand + 1.4;
oled_at = [-32, 74];
encoder_at = [48, 62];
keys_at = [[-60, 22], [-32, 22], [-4, 22]];
led_at = [48, 100];

$fn = 24;

module corners(size) {
    for (sx = [-1, 1], sy = [-1, 1]) translate([sx * size[0] / 2, sy * size[1] / 2, 0]) children();
}

// Coordinates on the lid in place: u east, v up the slope from the front edge, zero at its underside.
module on_lid() translate([0, 0, front]) rotate([tilt, 0, 0]) children();

module lid_screws() {
    for (u = [-1, 1] * (width / 2 - wall - boss / 2), v = [boss / 2 + 1, slope - boss / 2 - wall - 2])
        translate([u, v, 0]) children();
}

module profile(inset) {
    translate([-width / 2 + inset, 0, 0]) rotate([90, 0, 90]) linear_extrude(width - 2 * inset)
        if (inset == 0) polygon([[0, 0], [depth, 0], [depth, back], [0, front]]);
        else polygon([[inset, floor_thick], [depth - inset, floor_thick], [depth - inset, back + 9], [inset, back + 9]]);
}

// Posts for the lid screws: the southern ones rise from the floor, the northern ones project from the wall, clear of
// the Pi.
module bosses() {
    for (side = [-1, 1]) {
        x = side * (width / 2 - boss / 2 - 0.5);
        translate([x - boss / 2, 0.5, 1]) cube([boss, boss + 3, back]);
        hull() {
            translate([x - boss / 2, depth - boss - 4, back - 18]) cube([boss, boss + 3, 30]);
            translate([side * (width / 2 - 1) - 0.5, depth - 1.5, back - 42]) cube(1);
        }
    }
}

module pi_holes() {
    for (x = [3.5, 61.5], y = [3.5, 52.5]) translate([pi_x - x, pi_y - y, 0]) children();
}

// Sockets, the same for Pi 4 and Pi 5: two of the three are USB, one is the network.
module sockets() {
    for (at = [[0.4, 18.25], [19.45, 36.55], [37.75, 55.6]])
        translate([-width / 2 - 1, pi_y - at[1], board_top - 0.8]) cube([wall + 2, at[1] - at[0], 17.6]);
    for (at = [[11.2, 13.4], [26, 12], [39.5, 12]]) // power and two HDMI, with room for the plugs
        translate([pi_x - at[0] - at[1] / 2, depth - wall - 1, board_top - 2.4]) cube([at[1], wall + 2, 8.4]);
}

module case() {
    difference() {
        union() {
            difference() {
                profile(0);
                profile(wall);
            }
            intersection() {
                profile(0);
                bosses();
            }
            pi_holes() cylinder(d = 6.4, h = floor_thick + stand);
        }
        pi_holes() translate([0, 0, floor_thick - 0.9]) cylinder(d = 2.1, h = stand + 2); // M2.5
        on_lid() lid_screws() translate([0, 0, -14]) cylinder(d = screw, h = 20);
        sockets();
        for (x = [-70 : 10 : -10]) translate([x, 62, -1]) cube([3, 36, floor_thick + 2]); // air inlet
        for (x = [-60 : 7 : -11]) translate([x, depth - wall - 1, 40]) cube([3, wall + 2, 14]); // air outlet
        translate([24, depth - wall - 1, 14]) cube([18, wall + 2, 3]); // for a camera's ribbon cable
        for (x = [52, 64]) translate([x, depth + 1, 16]) rotate([90, 0, 0]) cylinder(d = 7, h = wall + 2); // cables
        for (x = [48, 56, 60, 68], y = [84, 92]) translate([x, y, -1]) cube([2, 4, floor_thick + 2]); // ties for cables
        for (x = [24, 34], y = [40, 58]) translate([x, y, -1]) cube([2, 4, floor_thick + 2]); // ties for clock, buzzer
        for (y = [42 : 6 : 66], z = [14 : 6 : 26]) // sound holes for the buzzer
            translate([width / 2 - wall - 1, y, z]) rotate([0, 90, 0]) cylinder(d = 2.6, h = wall + 2, $fn = 8);
        for (x = [-1, 1] * (width / 2 - 14), y = [14, depth - 14]) // recesses for rubber feet
            translate([x, y, -1]) cylinder(d = 10.6, h = 1.8);
    }
}

module saddle(at) { // a cable tie passes through it and holds the wires
    translate([at[0] - 6, at[1] - 4, -7]) difference() {
        cube([12, 8, 7.5]);
        translate([3.5, -1, 2.5]) cube([5, 10, 2.5]);
    }
}

module lid_mounted() {
    difference() {
        union() {
            translate([-width / 2, 0, 0]) cube([width, slope, lid_thick]);
            for (side = [-1, 1]) // ribs that keep the lid between the walls
                translate([side * (width / 2 - wall - play - 1) - 1, 22, -3]) cube([2, slope - 60, 3.5]);
            translate([oled_at[0], oled_at[1], -oled_glass]) corners(oled_holes) cylinder(d = 6, h = oled_glass + 0.5);
            saddle([encoder_at[0], encoder_at[1] - 24]);
            saddle([keys_at[2][0] + 24, keys_at[2][1]]);
        }
        lid_screws() {
            translate([0, 0, -1]) cylinder(d = 3.4, h = lid_thick + 2);
            translate([0, 0, lid_thick - 1.7]) cylinder(d1 = 3.4, d2 = 6.8, h = 1.71);
        }
        translate([oled_at[0], oled_at[1], -oled_glass - 1]) corners(oled_holes)
            cylinder(d = 2.1, h = oled_glass + 1 + lid_thick - 1.2); // M2.5, not all the way through
        translate([oled_at[0], oled_at[1] + oled_window_up, 0]) {
            translate([0, 0, -1]) linear_extrude(lid_thick) square(oled_window, center = true);
            hull() { // a wide opening, so that the display can be read at an angle
                translate([0, 0, 1.5]) linear_extrude(0.01) square(oled_window, center = true);
                translate([0, 0, lid_thick]) linear_extrude(0.01)
                    square([oled_window[0] + 3, oled_window[1] + 3], center = true);
            }
        }
        translate([encoder_at[0], encoder_at[1], -1]) cylinder(d = encoder_hole, h = lid_thick + 2);
        if (encoder_lug > 0)
            translate([encoder_at[0] - encoder_lug - 0.8, encoder_at[1] - 1.3, -1]) cube([1.6, 2.6, 2.6]);
        for (index = [0 : 2]) {
            translate([keys_at[index][0], keys_at[index][1], -1]) cylinder(d = key_hole, h = lid_thick + 2);
            // One dot for Back, two for Undo, three for Call: can be felt, and filled with paint.
            for (dot = [0 : index]) translate([keys_at[index][0] + 4 * (dot - index / 2), keys_at[index][1] + 13, 2.2])
                cylinder(d = 2, h = 1);
        }
        translate([led_at[0], led_at[1], -1]) cylinder(d = led_hole, h = lid_thick + 2);
    }
}

module lid() translate([0, slope, lid_thick]) rotate([180, 0, 0]) lid_mounted(); // printed face down

// The bought parts, simplified for the pictures.
module pi() {
    color("seagreen") translate([pi_x - 85, pi_y - 56, board_top - 1.4]) cube([85, 56, 1.4]);
    color("silver") for (y = [1, 19.5, 38]) translate([pi_x - 87.5, pi_y - y - 16, board_top]) cube([18, 15, 15]);
    color("dimgray") translate([pi_x - 58, pi_y - 56 + 1, board_top]) cube([51, 5, 8.5]);
    color("silver") translate([pi_x - 15.7, pi_y - 6.5, board_top]) cube([9, 7.5, 3.2]);
}

module oled() {
    color("navy") cube([oled_board[0], oled_board[1], 1.6], center = true);
    color("black") translate([0, oled_window_up, 2]) cube([62, 38, oled_glass - 0.4], center = true);
    color("skyblue") translate([0, oled_window_up, 2 + oled_glass / 2]) cube([55, 27.5, 0.2], center = true);
}

module encoder() {
    color("silver") translate([-7, -7, -7]) cube([14, 14, 7]);
    color("silver") cylinder(d = 7, h = 7);
    color("silver") cylinder(d = 6, h = 18);
}

module knob() color("dimgray") difference() {
    cylinder(d = 26, h = 14);
    translate([0, 0, -1]) cylinder(d = 6, h = 12);
}

module key() {
    color("dimgray") translate([0, 0, -20]) cylinder(d = 11.8, h = 20);
    color("firebrick") cylinder(d = 14, h = 3);
    color("firebrick") cylinder(d = 9, h = 6);
}

module clock() color("steelblue") translate([22, 36, floor_thick]) cube([28, 22, 3]);

module assembly() {
    color("gainsboro") case();
    pi();
    clock();
    on_lid() {
        color("lightsteelblue") lid_mounted();
        translate([oled_at[0], oled_at[1], -oled_glass - 0.8]) oled();
        translate([encoder_at[0], encoder_at[1], 0]) encoder();
        translate([encoder_at[0], encoder_at[1], lid_thick + 5]) knob();
        for (at = keys_at) translate([at[0], at[1], lid_thick]) key();
    }
}

module exploded() {
    view = [62, 0, 28];
    color("gainsboro") case();
    translate([0, 0, 62]) pi();
    translate([0, 0, 40]) clock();
    translate([0, 0, 125]) on_lid() {
        color("lightsteelblue") lid_mounted();
        translate([oled_at[0], oled_at[1], -oled_glass - 0.8]) oled();
        for (at = keys_at) translate([at[0], at[1], lid_thick]) key();
        translate([encoder_at[0], encoder_at[1], 0]) encoder();
        translate([encoder_at[0], encoder_at[1], lid_thick + 45]) knob();
        color("black") lid_screws() translate([0, 0, 22]) cylinder(d = 3, h = 9);
    }
    label(view, [-40, 0, 12], [-70, -80, 0], "1  case");
    label(view, [-50, 58, 70], [-150, 10, 60], "2  Pi, 4 screws M2.5 x 5");
    label(view, [46, 36, 44], [110, -30, 30], "3  clock (DS3231), 2 ties");
    label(view, [-85, 40, 170], [-150, 20, 170], "6  lid, wired");
    label(view, [84, 12, 190], [150, 20, 170], "7  4 screws M3 x 12");
    label(view, [58, 40, 230], [120, 50, 235], "8  knob");
}

// The lid during assembly, face down.
module lid_exploded() {
    view = [50, 0, 200];
    color("lightsteelblue") lid();
    translate([0, slope, lid_thick]) rotate([180, 0, 0]) {
        translate([oled_at[0], oled_at[1], -40]) oled();
        color("black") translate([oled_at[0], oled_at[1], -62]) corners(oled_holes) cylinder(d = 2.5, h = 6);
        translate([encoder_at[0], encoder_at[1], -36]) encoder();
        for (at = keys_at) translate([at[0], at[1], -28]) color("dimgray") cylinder(d = 16, h = 3);
        for (at = keys_at) translate([at[0], at[1], 30]) key();
    }
    label(view, [80, 60, 2], [105, 75, 0], "6  lid, on its face");
    label(view, [-60, 30, 43], [-95, 10, 70], "4  display, 4 screws M2.5 x 6");
    label(view, [55, 52, 40], [100, 40, 60], "5  encoder, its nut on the face");
    label(view, [52, 80, 8], [90, 105, 0], "ties hold the wires here");
    label(view, [-60, 96, 30], [-95, 105, 40], "5  keys, their nuts inside");
}

if (part == "case") case();
else if (part == "lid") lid();
else if (part == "exploded") exploded();
else if (part == "lid_exploded") lid_exploded();
else assembly();
